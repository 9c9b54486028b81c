import { sha256Hex } from '@capability-router/kernel';

/** Characters that every host allows in the name of a tool. */
const MAX_NAME_LENGTH = 64;
/** Digits of the hash that stands for what does not fit: 48 bits. */
const HASH_DIGITS = 12;
const replaced: Readonly<Record<string, string>> = { '.': '_', _: '-', '-': 'D' };

/**
 * The name of a published tool: its id in characters that every host takes (letters, digits, `_`, `-`). No two ids have the
 * same one: ids are lower case, so that what stands for a hyphen, and for a cut, appears in no other name.
 */
export function publishedName(toolId: string): string {
  const name = toolId.replaceAll(/[._-]/g, (character) => replaced[character] ?? character);
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - HASH_DIGITS - 1)}H${sha256Hex(toolId).slice(0, HASH_DIGITS)}`;
}
