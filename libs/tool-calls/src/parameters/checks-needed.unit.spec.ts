import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { ToolContract } from '@capability-router/contracts';
import { checksNeeded, isPlain } from './checks-needed.js';
import { ParameterValidator } from './parameter-validator.js';

const MAX_CHECKS = 500_000;

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = { x: value };
  return value;
}

const itself = { $ref: '#/$defs/node' };
/** Schemas that are published as they are, and what a caller may send to them. */
const hostile: readonly (readonly [what: string, schema: JsonObject, parameters: JsonObject])[] = [
  [
    'alternatives that lead back to themselves, with nested objects',
    {
      properties: { tree: itself },
      $defs: { node: { anyOf: [{ properties: { x: itself }, required: ['y'] }, { properties: { x: itself } }] } },
    },
    { tree: nested(60) },
  ],
  [
    'objects that are to be unique',
    { properties: { list: { type: 'array', uniqueItems: true } } },
    { list: Array.from({ length: 60_000 }, (_, index) => ({ index })) },
  ],
  [
    'many alternatives for each of many items',
    {
      properties: {
        list: { items: { anyOf: Array.from({ length: 1_500 }, (_, index) => ({ const: `c${index}` })) } },
      },
    },
    { list: Array.from({ length: 100_000 }, () => 1) },
  ],
  [
    'a long list of values for each of many items',
    { properties: { list: { items: { enum: Array.from({ length: 5_000 }, (_, index) => ({ index })) } } } },
    { list: Array.from({ length: 100_000 }, () => ({})) },
  ],
  [
    'a large pattern and a long text',
    { properties: { text: { type: 'string', pattern: '^((a|b|aa|ab|ba){0,30}c?){0,30}$' } } },
    { text: 'ab'.repeat(400_000) },
  ],
];

const tool = (parametersSchema: JsonObject): ToolContract =>
  ({
    toolId: 'demo.hostile.input.v1',
    version: 1,
    schemaHash: JSON.stringify(parametersSchema),
    parametersSchema,
    oneOfRequired: [],
  }) as unknown as ToolContract;

describe('parameters that would hold up everybody', () => {
  const validator = new ParameterValidator();

  it.each(hostile)('are refused before they are checked: %s', (_what, schema, parameters) => {
    expect(isPlain(schema) && JSON.stringify(parameters).length < 10_000).toBe(false);
    expect(checksNeeded(schema, parameters, MAX_CHECKS)).toBe(Number.POSITIVE_INFINITY);
    expect(validator.check(tool(schema), parameters)).toEqual([
      expect.objectContaining({ loc: ['body', 'parameters'], msg: expect.stringContaining('fewer values') }),
    ]);
  });

  it('are not counted without end: a schema that leads to itself for the same value', () => {
    const schema = { $ref: '#/$defs/node', $defs: { node: { allOf: [itself] } } };
    expect(checksNeeded(schema, {}, MAX_CHECKS)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('parameters that are large and nothing worse', () => {
  const validator = new ParameterValidator();
  const row = { type: 'object', properties: { name: { type: 'string', maxLength: 40 }, size: { type: 'number' } } };

  it.each<[what: string, schema: JsonObject, parameters: JsonObject]>([
    ['many rows', { properties: { rows: { items: row } } }, { rows: fill(20_000, { name: 'a', size: 1 }) }],
    ['many numbers', { properties: { list: { items: { type: 'number' } } } }, { list: fill(120_000, 1) }],
    [
      'many names that are to be unique',
      { properties: { list: { items: { type: 'string' }, uniqueItems: true } } },
      { list: Array.from({ length: 50_000 }, (_, index) => `n${index}`) },
    ],
    [
      'a long text',
      { properties: { text: { type: 'string', pattern: '^[a-z ]*$' } } },
      { text: 'ab '.repeat(300_000) },
    ],
    [
      'a tree of a hundred levels',
      { properties: { tree: itself }, $defs: { node: { properties: { x: itself } } } },
      { tree: nested(95) },
    ],
  ])('are checked: %s', (_what, schema, parameters) => {
    expect(validator.check(tool(schema), parameters)).toEqual([]);
  });
});

function fill(length: number, value: JsonValue): JsonValue[] {
  return Array.from({ length }, () => value);
}

it('counts what each keyword may ask for', () => {
  const count = (schema: JsonObject, value: JsonValue): number => checksNeeded(schema, value, 1_000);
  expect(count({ type: 'string' }, 'a')).toBe(1);
  expect(count({ enum: [1, 2, 3] }, 1)).toBe(4);
  expect(count({ oneOf: [{}, {}, {}] }, 1)).toBe(4);
  expect(count({ items: {} }, [1, 1, 1])).toBe(4);
  expect(count({ prefixItems: [{ allOf: [{}, {}] }], items: {} }, [1, 1])).toBe(5);
  expect(count({ properties: { a: {} }, required: ['a'] }, { a: 1, b: 2 })).toBe(5);
  expect(count({ additionalProperties: { not: {} } }, { a: 1, b: 2 })).toBe(7);
  expect(count({ patternProperties: { '^a': {} } }, { a: 1, b: 2 })).toBe(8);
});
