export type JsonObject = Record<string, unknown>;

/** The value as an object; anything else fails the test with the place named. */
export function asObject(value: unknown, what = 'value'): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${what} is not an object: ${JSON.stringify(value)}`);
  }
  return value as JsonObject;
}

export function asArray(value: unknown, what = 'value'): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} is not an array: ${JSON.stringify(value)}`);
  return value;
}

export function asString(value: unknown, what = 'value'): string {
  if (typeof value !== 'string') throw new Error(`${what} is not a string: ${JSON.stringify(value)}`);
  return value;
}

export function asNumber(value: unknown, what = 'value'): number {
  if (typeof value !== 'number') throw new Error(`${what} is not a number: ${JSON.stringify(value)}`);
  return value;
}
