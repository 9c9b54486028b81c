import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { ToolInputError } from './tool-input-error.js';

/** Levels of lists and objects. */
export const MAX_JSON_DEPTH = 100;
/** Values, counted as often as they appear when written out. */
export const MAX_JSON_VALUES = 200_000;

/** A parameter that takes a whole JSON document. */
export const jsonDocument: JsonObject = { type: ['object', 'array'], maxProperties: 10_000, maxItems: 50_000 };

export function documentOf(parameters: JsonObject, name: string, maxValues = MAX_JSON_VALUES): JsonValue {
  const value = parameters[name];
  if (typeof value !== 'object' || value === null) {
    throw new ToolInputError(`Parameter "${name}" must be an object or a list.`);
  }
  return boundedJson(value, `Parameter "${name}"`, maxValues);
}

/**
 * The value, when it is plain JSON that can be written out. What a library has parsed may refer to the same list many
 * times over (aliases), so that a few lines become gigabytes as text: each way to a value counts.
 */
export function boundedJson(value: unknown, what: string, maxValues = MAX_JSON_VALUES): JsonValue {
  const open: (readonly [value: unknown, depth: number])[] = [[value, 0]];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [item, depth] = next;
    if (depth > MAX_JSON_DEPTH)
      throw new ToolInputError(`${what} is nested over ${MAX_JSON_DEPTH} levels. Flatten it.`);
    if (typeof item !== 'object' || item === null) continue;
    const members = Array.isArray(item) ? (item as unknown[]) : Object.values(item);
    count += members.length;
    if (count > maxValues) {
      throw new ToolInputError(`${what} has over ${maxValues} values when written out. Send it in parts.`);
    }
    for (const member of members) open.push([member, depth + 1]);
  }
  return value as JsonValue;
}
