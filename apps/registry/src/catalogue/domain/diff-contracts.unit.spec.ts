import { describe, expect, it } from '@jest/globals';
import type { ToolManifest } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { sampleTool } from '../../test-support/sample-catalogue.js';
import { diffContracts } from './diff-contracts.js';

const schema = (properties: JsonObject, over: JsonObject = {}): Partial<ToolManifest> => ({
  parametersSchema: { type: 'object', additionalProperties: false, properties, ...over },
});
const impacts = (before: Partial<ToolManifest>, after: Partial<ToolManifest>): string[] =>
  diffContracts(sampleTool(before), sampleTool(after)).changes.map(
    ({ path, kind, impact }) => `${path} ${kind} ${impact}`,
  );

describe('the diff of two contracts', () => {
  it('is empty for equal ones, whatever the order of their members', () => {
    const reversed = Object.fromEntries(Object.entries(sampleTool()).reverse()) as unknown as ToolManifest;
    expect(diffContracts(sampleTool(), reversed)).toEqual({
      breaking: false,
      costsMore: false,
      changes: [],
      truncated: false,
    });
  });

  const string = { type: 'string' };
  it.each<[string, JsonObject, JsonObject, string]>([
    ['a new parameter', { a: string }, { a: string, b: string }, 'properties.b added compatible'],
    ['a parameter that is gone', { a: string, b: string }, { a: string }, 'properties.b removed breaking'],
    ['a wider bound', { a: { maxLength: 5 } }, { a: { maxLength: 9 } }, 'properties.a.maxLength changed compatible'],
    ['a narrower bound', { a: { maxLength: 9 } }, { a: { maxLength: 5 } }, 'properties.a.maxLength changed breaking'],
    ['a new bound', { a: string }, { a: { ...string, pattern: 'x' } }, 'properties.a.pattern added breaking'],
    ['a bound that is gone', { a: { minimum: 1 } }, { a: {} }, 'properties.a.minimum removed compatible'],
    ['more choices', { a: { enum: [1] } }, { a: { enum: [1, 2] } }, 'properties.a.enum changed compatible'],
    ['fewer choices', { a: { enum: [1, 2] } }, { a: { enum: [2] } }, 'properties.a.enum changed breaking'],
    ['a wider type', { a: { type: 'integer' } }, { a: { type: 'number' } }, 'properties.a.type changed compatible'],
    ['a narrower type', { a: { type: 'number' } }, { a: { type: 'integer' } }, 'properties.a.type changed breaking'],
    [
      'another wording',
      { a: { description: 'x' } },
      { a: { description: 'y' } },
      'properties.a.description changed compatible',
    ],
    [
      'what is not understood',
      { a: { anyOf: [string] } },
      { a: { anyOf: [{}] } },
      'properties.a.anyOf changed breaking',
    ],
    [
      'items of a list',
      { a: { items: { maximum: 9 } } },
      { a: { items: { maximum: 5 } } },
      'properties.a.items.maximum changed breaking',
    ],
  ])('judges %s', (_what, before, after, expected) => {
    expect(impacts(schema(before), schema(after))).toEqual([`parameters_schema.${expected}`]);
  });

  it('takes a parameter that must be given now for breaking, and one that may be left out for harmless', () => {
    const optional = schema({ a: string });
    const required = schema({ a: string }, { required: ['a'] });
    expect(impacts(optional, required)).toEqual(['parameters_schema.required added breaking']);
    expect(impacts(required, optional)).toEqual(['parameters_schema.required removed compatible']);
  });

  it.each<[string, Partial<ToolManifest>, string, { breaking: boolean; costsMore: boolean }]>([
    [
      'a higher price',
      { price: { metering: { kind: 'call' }, amountMicroCredits: '600000', unitLabel: 'call' } },
      'price changed cost',
      { breaking: false, costsMore: true },
    ],
    [
      'a lower price',
      { price: { metering: { kind: 'call' }, amountMicroCredits: '1', unitLabel: 'call' } },
      'price changed compatible',
      { breaking: false, costsMore: false },
    ],
    ['a region', { region: 'US' }, 'region changed breaking', { breaking: true, costsMore: false }],
    ['a text', { name: { en: 'Other' } }, 'name changed compatible', { breaking: false, costsMore: false }],
    [
      'a group that asks for more',
      { oneOfRequired: [['to']] },
      'one_of_required changed breaking',
      { breaking: true, costsMore: false },
    ],
    [
      'a group that asks for less',
      { oneOfRequired: [['to', 'to_code', 'from']] },
      'one_of_required changed compatible',
      { breaking: false, costsMore: false },
    ],
    [
      'another binding',
      { binding: { kind: 'builtin', operation: 'other' } },
      'binding changed compatible',
      { breaking: false, costsMore: false },
    ],
  ])('judges %s', (_what, over, change, verdict) => {
    expect(impacts({}, over)).toEqual([change]);
    expect(diffContracts(sampleTool(), sampleTool(over))).toMatchObject(verdict);
  });

  it('lists a bounded number of changes and says so', () => {
    const many = (type: string) =>
      schema(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`p${index}`, { type }])));
    const diff = diffContracts(sampleTool(many('string')), sampleTool(many('number')));
    expect(diff).toMatchObject({ breaking: true, truncated: true });
    expect(diff.changes).toHaveLength(500);
  });
});
