import { describe, expect, it } from '@jest/globals';
import { sampleDocument } from '../test-support/sample-document.js';
import { readCapability } from './read-capability.js';

const read = (over: object = {}) => readCapability(sampleDocument(over), ['body'], 'geo.distance');
const faultsOf = (over: object): string[] => {
  const result = read(over);
  return result.ok ? [] : result.error.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
};
const fields = (properties: object, required: string[] = []) => ({
  result_schema: { type: 'object', required, properties },
});
const candidate = { tool_id: 'a.b.c.v1' };

describe('a contract as administrators write it', () => {
  it('becomes what is published, with the names of members as they are elsewhere', () => {
    const tags = [{ id: 'geo', name: null, description: 'Places.' }];
    const result = read({ tags, schema_hash: 'a'.repeat(64) });
    expect(result).toMatchObject({
      ok: true,
      value: {
        schemaHash: 'a'.repeat(64),
        manifest: {
          capabilityId: 'geo.distance',
          name: { en: 'Distance', zh: '距离' },
          candidates: [{ toolId: 'geokit.distance.compute.v1', result: { distance_km: { from: '$.km' } } }],
          effect: 'read_only',
          sampleParameters: { from: 'Bern' },
          tags: [{ id: 'geo', description: 'Places.' }],
        },
      },
    });
    expect(JSON.stringify(result)).not.toContain('null');
  });

  it('keeps every member of its schemas, whatever it is called', () => {
    const properties = { constructor: { type: 'string', description: 'Who built it.' } };
    const result = read({ ...fields(properties), candidates: [] });
    expect(result.ok && Object.keys(result.value.manifest.resultSchema['properties'] ?? {})).toEqual(['constructor']);
  });

  it('says its own id where no path does', () => {
    expect(readCapability(sampleDocument({ capability_id: 'geo.area' }), [])).toMatchObject({
      ok: true,
      value: { manifest: { capabilityId: 'geo.area' } },
    });
    expect(readCapability(sampleDocument(), [])).toMatchObject({
      error: [{ type: 'missing', loc: ['capability_id'] }],
    });
  });

  it.each<[string, object, string | RegExp]>([
    ['an unknown member', { colour: 'red' }, /^body\.colour: /],
    ['another id than the path', { capability_id: 'geo.other' }, /^body\.capability_id: .*"geo\.distance"/],
    ['no effect', { effect: undefined }, /^body\.effect: /],
    ['an effect that there is not', { effect: 'harmless' }, /^body\.effect: /],
    ['a blank name', { name: { en: ' ' } }, /^body\.name\.en: /],
    ['a name in a language that there is not', { name: { en: 'a', fr: 'b' } }, /^body\.name\.fr: /],
    ['a control character', { description: { en: 'a\u0007' } }, /^body\.description\.en: .*control/],
    [
      'parameters that are open',
      { parameters_schema: { type: 'object' } },
      /^body\.parameters_schema: .*additionalProp/,
    ],
    ['a result without fields', fields({}), /^body\.result_schema\.properties: .*1 to 100/],
    [
      'a field without a meaning',
      fields({ a: { type: 'string' } }),
      /^body\.result_schema\.properties\.a\.description/,
    ],
    [
      'a unit that is no text',
      fields({ a: { description: 'x', unit: 7 } }),
      /^body\.result_schema\.properties\.a\.unit: /,
    ],
    ['a promise of nothing', fields({ a: { description: 'x' } }, ['b']), /^body\.result_schema\.required: "b"/],
    ['a type that there is not', fields({ a: { type: 'text', description: 'x' } }), /^body\.result_schema/],
    ['an example that does not fit', { sample_parameters: {} }, 'body.sample_parameters.from: Field required'],
    ['a tool twice', { candidates: [candidate, candidate] }, 'body.candidates.1.tool_id: The tool is bound twice'],
    ['a tool id that is none', { candidates: [{ tool_id: '12' }] }, /^body\.candidates\.0\.tool_id: .*tool id/],
    [
      'a path to many places',
      { candidates: [{ ...candidate, result: { distance_km: { from: '$..a' } } }] },
      /^body\.candidates\.0\.result\.distance_km: "\$\.\.a" is no path/,
    ],
    [
      'a constant with a path',
      { candidates: [{ ...candidate, parameters: { a: { value: 1, from: '$.a' } } }] },
      /^body\.candidates\.0\.parameters\.a: A constant has "value" alone/,
    ],
    [
      'a mapping of unknown words',
      { candidates: [{ ...candidate, parameters: { a: { xpath: 'x' } } }] },
      /^body\.candidates\.0\.parameters\.a: "xpath"/,
    ],
    [
      'an expression and a default',
      { candidates: [{ ...candidate, parameters: { a: { jsonata: 'x', default: 1 } } }] },
      /^body\.candidates\.0\.parameters\.a: An expression has "jsonata" alone/,
    ],
    [
      'an expression that is too long',
      { candidates: [{ ...candidate, parameters: { a: { jsonata: `"${'x'.repeat(1_000)}"` } } }] },
      /^body\.candidates\.0\.parameters\.a: "jsonata" should be an expression of 1 to 1000 characters/,
    ],
    [
      'an expression and no result to try it on',
      { candidates: [{ ...candidate, result: { distance_km: { jsonata: 'km' } } }] },
      /^body\.candidates\.0\.sample_result: Field required/,
    ],
    ['a hash that is none', { schema_hash: 'abc' }, /^body\.schema_hash: /],
  ])('is refused with %s, which is named', (_what, over, fault) => {
    const faults = faultsOf(over);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toMatch(fault);
  });

  it('is refused where it is too large for an event', () => {
    const large = { from: 'x'.repeat(140_000) };
    expect(faultsOf({ sample_parameters: large })).toEqual([expect.stringMatching(/^body: .*at most 131072 bytes/)]);
  });

  it.each([undefined, null, [], 'text', 7])('is refused where it is %j', (document) => {
    expect(readCapability(document, ['body'], 'geo.distance')).toMatchObject({ ok: false, error: [{ loc: ['body'] }] });
  });
});
