import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { Documents, ReferenceFault } from '../documents.js';
import { NotImportable } from '../imported.js';
import { SchemaConverter } from './schema-converter.js';

const schemas: JsonObject = {
  Node: { type: 'object', properties: { next: { $ref: '#/schemas/Node' }, name: { type: 'string' } } },
  Loop: { $ref: '#/schemas/Loop' },
  A: { properties: { b: { $ref: '#/schemas/B' } } },
  B: { properties: { c: { $ref: '#/schemas/C' } } },
  C: { type: 'string', description: 'Deep.' },
};

function convert(
  schema: JsonValue,
  { openApi30 = true, maxReferenceDepth = 9, maxInlineDepth = 30 } = {},
): JsonObject & { truncated: boolean } {
  const documents = new Documents('', new Map<string, JsonValue>([['', { schemas }]]));
  const dialect = { openApi30, dropReadOnly: true, maxReferenceDepth, maxInlineDepth };
  const converter = new SchemaConverter(documents, dialect);
  const converted = converter.convert({ value: schema, base: '' });
  return { ...(converted as JsonObject), ...converter.finish(), truncated: converter.truncated };
}
const plain = (schema: JsonValue, options = {}): JsonObject => {
  const { truncated: _truncated, ...rest } = convert(schema, options);
  return rest;
};

describe('a schema of OpenAPI 3.0', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['nullable enum', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'nullable reference',
      { nullable: true, allOf: [{ type: 'string' }], description: 'x' },
      { description: 'x', anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    [
      'exclusive bounds',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { type: 'number', exclusiveMinimum: 1, maximum: 5 },
    ],
    ['one example', { type: 'integer', example: 4 }, { type: 'integer', examples: [4] }],
    [
      'what is not JSON Schema',
      { type: 'object', xml: {}, discriminator: { propertyName: 'a' }, 'x-y': 1, $id: 'u', $anchor: 'v' },
      { type: 'object' },
    ],
    [
      'read-only properties',
      { properties: { id: { readOnly: true }, a: {} }, required: ['id', 'a'] },
      { properties: { a: {} }, required: ['a'] },
    ],
    [
      'malformed keywords',
      { type: 'file', minLength: -1, pattern: '(', required: true, enum: [], multipleOf: 0, format: 'whatever' },
      {},
    ],
    ['a title in place of a description', { title: 'T' }, { description: 'T' }],
    [
      'tuples',
      { items: [{ type: 'string' }], additionalItems: false },
      { prefixItems: [{ type: 'string' }], items: false },
    ],
  ])('with %s is one of 2020-12', (_what, given, wanted) => {
    expect(plain(given)).toEqual(wanted);
  });

  it('leaves out what stands beside a reference, which 3.1 counts', () => {
    const schema = { $ref: '#/schemas/C', maxLength: 3, description: 'Mine.' };
    expect(plain(schema)).toMatchObject({ $ref: '#/$defs/C', description: 'Mine.' });
    expect(plain(schema)).not.toHaveProperty('maxLength');
    expect(plain(schema, { openApi30: false })).toMatchObject({ $ref: '#/$defs/C', maxLength: 3 });
  });
});

describe('a schema of OpenAPI 3.1', () => {
  it('keeps its types and bounds, and has no nullable', () => {
    const schema = {
      type: ['string', 'null'],
      nullable: true,
      exclusiveMinimum: 2,
      const: 'a',
      if: { type: 'string' },
    };
    const { nullable: _nullable, ...kept } = schema;
    expect(plain(schema, { openApi30: false })).toEqual(kept);
    expect(plain({ type: 'string', nullable: true }, { openApi30: false })).toEqual({ type: 'string' });
  });
});

describe('references', () => {
  it('in a circle stay references', () => {
    expect(plain({ $ref: '#/schemas/Node' })).toEqual({
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, name: { type: 'string' } } } },
    });
  });

  it('are not followed beyond the depth, and it is told', () => {
    const shallow = convert({ $ref: '#/schemas/A' }, { maxReferenceDepth: 2 });
    expect(shallow).toEqual({
      truncated: true,
      $ref: '#/$defs/A',
      $defs: {
        A: { properties: { b: { $ref: '#/$defs/B' } } },
        B: { properties: { c: { type: 'string', description: 'Deep.' } } },
      },
    });
    expect(convert({ $ref: '#/schemas/A' }).truncated).toBe(false);
  });

  it.each(['#/schemas/None', 'other.json#/X', 'file:///etc/passwd', '#nowhere', '#/schemas/__proto__'])(
    'to %s are a fault',
    ($ref) => {
      expect(() => plain({ $ref })).toThrow(ReferenceFault);
    },
  );
});

describe('patterns', () => {
  it('that take too long to compile together are left to the provider, from the first that is too much', () => {
    const property = (pattern: string): JsonObject => ({ type: 'string', pattern });
    const properties = { a: property('^[a-z]{1,900}$'), b: property('(a{1000}){99}'), c: property('^x$') };
    const patternProperties = { '^y': { type: 'string' }, '^(b{100}){200}': { type: 'string' } };
    expect(plain({ properties, patternProperties })).toEqual({
      properties: { ...properties, b: { type: 'string' } },
      patternProperties: { '^y': { type: 'string' } },
    });
  });
});

it('ends for a schema that is endless', () => {
  const wide = { allOf: Array.from({ length: 80 }, () => ({ anyOf: Array.from({ length: 80 }, () => ({})) })) };
  expect(() => plain(wide)).toThrow(NotImportable);
  let deep: JsonValue = {};
  for (let level = 0; level < 90; level += 1) deep = { type: 'array', items: deep };
  expect(convert(deep).truncated).toBe(true);
});
