/** A small checker of JSON shapes. A check gives the violations, each with its path; no violation, no text. */
export type Check = (value: unknown, path: string) => string[];

const say = (path: string, expected: string, value: unknown): string[] => [
  `${path === '' ? '(body)' : path}: expected ${expected}, got ${String(JSON.stringify(value)).slice(0, 120)}`,
];

const test =
  (expected: string, holds: (value: unknown) => boolean): Check =>
  (value, path) =>
    holds(value) ? [] : say(path, expected, value);

export const text = test('a string', (v) => typeof v === 'string');
export const filledText = test('a string that is not empty', (v) => typeof v === 'string' && v.trim() !== '');
export const number = test('a number', (v) => typeof v === 'number' && Number.isFinite(v));
export const integer = test('an integer', (v) => Number.isInteger(v));
export const boolean = test('a boolean', (v) => typeof v === 'boolean');
export const anything: Check = () => [];
export const anyObject = test('an object', (v) => typeof v === 'object' && v !== null && !Array.isArray(v));
/** ISO 8601 in UTC with Z. */
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export function matching(pattern: RegExp): Check {
  return test(`a string like ${pattern}`, (v) => typeof v === 'string' && pattern.test(v));
}

export function oneOf(...allowed: readonly (string | number | boolean)[]): Check {
  return test(`one of ${allowed.join(', ')}`, (v) => (allowed as readonly unknown[]).includes(v));
}

export function within(low: number, high: number): Check {
  return test(`a number from ${low} to ${high}`, (v) => typeof v === 'number' && v >= low && v <= high);
}

export const nullable =
  (check: Check): Check =>
  (value, path) =>
    value === null ? [] : check(value, path);

export const listOf =
  (item: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((member: unknown, index) => item(member, `${path}[${index}]`))
      : say(path, 'an array', value);

/**
 * An object with exactly these fields: `required` ones must be there, `optional` ones may be absent, and are never null
 * unless their own check allows it. Any other field is a violation, because a published field is a promise.
 */
export const record =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    if (anyObject(value, path).length > 0) return say(path, 'an object', value);
    const object = value as Record<string, unknown>;
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    return [
      ...Object.entries(required).flatMap(([name, check]) =>
        name in object ? check(object[name], at(name)) : [`${at(name)}: missing`],
      ),
      ...Object.entries(optional).flatMap(([name, check]) => (name in object ? check(object[name], at(name)) : [])),
      ...Object.keys(object)
        .filter((name) => !(name in required) && !(name in optional))
        .map((name) => `${at(name)}: not in the specification`),
    ];
  };
