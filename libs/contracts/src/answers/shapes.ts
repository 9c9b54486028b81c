import type { JsonObject } from '@capability-router/kernel';

/** A small checker of JSON shapes. A check gives the violations, each with its path; no violation, no text. */
export interface Check {
  (value: unknown, path: string): string[];
  /** The same as a JSON Schema (2020-12), which allows members that the shape does not name. */
  readonly schema: JsonObject;
}

const withSchema = (schema: JsonObject, check: (value: unknown, path: string) => string[]): Check =>
  Object.assign(check, { schema });

const say = (path: string, expected: string, value: unknown): string[] => [
  `${path === '' ? '(body)' : path}: expected ${expected}, got ${String(JSON.stringify(value)).slice(0, 120)}`,
];

const test = (expected: string, schema: JsonObject, holds: (value: unknown) => boolean): Check =>
  withSchema(schema, (value, path) => (holds(value) ? [] : say(path, expected, value)));

const isFilled = (v: unknown): boolean => typeof v === 'string' && v.trim() !== '';

export const text = test('a string', { type: 'string' }, (v) => typeof v === 'string');
export const filledText = test('a string that is not empty', { type: 'string', minLength: 1 }, isFilled);
export const number = test('a number', { type: 'number' }, (v) => typeof v === 'number' && Number.isFinite(v));
export const integer = test('an integer', { type: 'integer' }, (v) => Number.isInteger(v));
export const boolean = test('a boolean', { type: 'boolean' }, (v) => typeof v === 'boolean');
export const anything = withSchema({}, () => []);
export const anyObject = test(
  'an object',
  { type: 'object' },
  (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
);
/** ISO 8601 in UTC with Z. */
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export function matching(pattern: RegExp): Check {
  const schema = { type: 'string', pattern: pattern.source };
  return test(`a string like ${pattern}`, schema, (v) => typeof v === 'string' && pattern.test(v));
}

export function oneOf(...allowed: readonly (string | number | boolean)[]): Check {
  const schema = { type: typeof allowed[0] === 'number' ? 'integer' : typeof allowed[0], enum: [...allowed] };
  return test(`one of ${allowed.join(', ')}`, schema, (v) => (allowed as readonly unknown[]).includes(v));
}

export function within(low: number, high: number): Check {
  const schema = { type: 'number', minimum: low, maximum: high };
  return test(`a number from ${low} to ${high}`, schema, (v) => typeof v === 'number' && v >= low && v <= high);
}

export const nullable = (check: Check): Check =>
  withSchema({ anyOf: [check.schema, { type: 'null' }] }, (value, path) => (value === null ? [] : check(value, path)));

/** One of several shapes; told are the violations of the last. */
export const either = (...checks: readonly Check[]): Check =>
  withSchema({ anyOf: checks.map(({ schema }) => schema) }, (value, path) => {
    const violations = checks.map((check) => check(value, path));
    return violations.find((list) => list.length === 0) ?? violations.at(-1) ?? [];
  });

export const listOf = (item: Check): Check =>
  withSchema({ type: 'array', items: item.schema }, (value, path) =>
    Array.isArray(value)
      ? value.flatMap((member: unknown, index) => item(member, `${path}[${index}]`))
      : say(path, 'an array', value),
  );

type Fields = Readonly<Record<string, Check>>;

/**
 * An object with exactly these fields: `required` ones must be there, `optional` ones may be absent, and are never null
 * unless their own check allows it. Any other field is a violation, because a published field is a promise.
 */
export const record = (required: Fields, optional: Fields = {}): Check =>
  withSchema(schemaOfRecord(required, optional), (value, path) => {
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
  });

function schemaOfRecord(required: Fields, optional: Fields): JsonObject {
  const properties = Object.entries({ ...required, ...optional }).map(([name, { schema }]) => [name, schema]);
  return { type: 'object', required: Object.keys(required), properties: Object.fromEntries(properties) as JsonObject };
}

/** An object whose members have any names and this form. */
export const recordOf = (member: Check): Check =>
  withSchema({ type: 'object', additionalProperties: member.schema }, (value, path) =>
    anyObject(value, path).length > 0
      ? say(path, 'an object', value)
      : Object.entries(value as object).flatMap(([name, inner]) => member(inner, `${path}.${name}`)),
  );
