import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Characters of one text that is kept of a request. */
export const MAX_KEPT_CHARACTERS = 2_000;
/** Entries of one list that are kept. */
const MAX_KEPT_ENTRIES = 100;
/** Characters that nobody can store or read: control characters but white space, and half surrogate pairs. */
const unkeepable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\p{Surrogate}/gu;

export const keepableText = (text: string): string => text.slice(0, MAX_KEPT_CHARACTERS).replace(unkeepable, '\uFFFD');

/** The named members of a body, valid or not, cut to what is kept for the audit. Anything else is left out. */
export function keepablePayload(body: unknown, members: readonly string[]): JsonObject {
  if (!isJsonObject(body)) return {};
  const kept: JsonObject = {};
  for (const member of members) {
    const value = keepable(body[member]);
    if (value !== undefined) kept[member] = value;
  }
  return kept;
}

function keepable(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return keepableText(value);
  if (Array.isArray(value))
    return value
      .slice(0, MAX_KEPT_ENTRIES)
      .filter(isScalar)
      .map((entry) => keepable(entry) ?? null);
  return isScalar(value) ? value : undefined;
}

const isScalar = (value: JsonValue | undefined): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
