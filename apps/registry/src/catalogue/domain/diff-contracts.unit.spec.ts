import { describe, expect, it } from '@jest/globals';
import type { PriceRule, ToolBinding, ToolManifest } from '@capability-router/contracts';
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
      changesDestination: false,
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
    [
      'a price for other units',
      { price: { metering: { kind: 'call' }, amountMicroCredits: '1', unitLabel: 'call', perUnits: 10 } },
      'price changed cost',
      { breaking: false, costsMore: true },
    ],
    [
      'a cheaper answer from the cache',
      {
        price: {
          metering: { kind: 'call' },
          amountMicroCredits: '500000',
          unitLabel: 'call',
          cacheHitMicroCredits: '1',
        },
      },
      'price changed compatible',
      { breaking: false, costsMore: false },
    ],
    ['a cache', { cache: { ttlMs: 1_000 } }, 'cache added compatible', { breaking: false, costsMore: false }],
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

  it('says that a call costs more when its answers from the cache lose their own price', () => {
    const price: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '500000', unitLabel: 'call' };
    const withHits = { price: { ...price, cacheHitMicroCredits: '1' } };
    expect(diffContracts(sampleTool(withHits), sampleTool({ price })).costsMore).toBe(true);
  });

  const http = (over: object = {}): ToolBinding => ({
    kind: 'http',
    method: 'GET',
    url: 'https://api.example/v1/{city}?units=si',
    placements: { city: { in: 'path' } },
    auth: { kind: 'bearer' },
    ...over,
  });
  const oauth = (tokenUrl: string, scopes: string[] = []) =>
    http({ auth: { kind: 'oauth2_client_credentials', tokenUrl, scopes } });
  const mcp = (server: object, tool = 'x'): ToolBinding =>
    ({ kind: 'mcp', server, tool, auth: { kind: 'none' } }) as ToolBinding;
  const at = (url: string) => ({ transport: 'streamable_http', url });

  it.each<[string, ToolBinding, ToolBinding, string[]]>([
    ['scheme', http(), http({ url: 'http://api.example/v1/{city}?units=si' }), ['binding.url changed']],
    ['host', http(), http({ url: 'https://evil.example/v1/{city}?units=si' }), ['binding.url changed']],
    ['port', http(), http({ url: 'https://api.example:8443/v1/{city}?units=si' }), ['binding.url changed']],
    ['kind of auth', http(), http({ auth: { kind: 'basic' } }), ['binding.auth.kind changed']],
    ['token endpoint', oauth('https://a.example/t'), oauth('https://b.example/t'), ['binding.auth.token_url changed']],
    ['MCP server', mcp(at('https://a.example/mcp')), mcp(at('https://b.example/mcp')), ['binding.server changed']],
    [
      'transport',
      mcp(at('https://a.example/mcp')),
      mcp({ transport: 'stdio', command: 'x' }),
      ['binding.server changed'],
    ],
    [
      'kind of provider',
      http({ auth: { kind: 'none' } }),
      mcp(at('https://api.example/mcp')),
      ['binding.kind changed', 'binding.url removed', 'binding.server added'],
    ],
  ])('marks another %s as another destination', (_what, before, after, expected) => {
    const diff = diffContracts(sampleTool({ binding: before }), sampleTool({ binding: after }));
    expect(diff).toMatchObject({ breaking: false, changesDestination: true });
    const marked = diff.changes.filter(({ impact }) => impact === 'destination');
    expect(marked.map(({ path, kind }) => `${path} ${kind}`)).toEqual(expected);
    if (before.kind === after.kind) expect(diff.changes).toEqual(marked);
  });

  it.each<[string, ToolBinding, ToolBinding]>([
    ['another path', http(), http({ url: 'https://api.example/v2/{city}?units=si' })],
    ['another header', http(), http({ headers: { 'X-Client': 'y' } })],
    ['other scopes', oauth('https://a.example/t'), oauth('https://a.example/t', ['read'])],
    ['another tool of the MCP server', mcp(at('https://a.example/mcp')), mcp(at('https://a.example/mcp'), 'y')],
  ])('takes %s for the same destination', (_what, before, after) => {
    const diff = diffContracts(sampleTool({ binding: before }), sampleTool({ binding: after }));
    expect(diff).toMatchObject({ changesDestination: false, changes: [{ path: 'binding', impact: 'compatible' }] });
  });

  it('takes another way to write the same host for no change', () => {
    const written = http({ url: 'https://API.example:443/v1/{city}?units=si' });
    expect(impacts({ binding: http() }, { binding: written })).toEqual([]);
  });

  it('lists a bounded number of changes and says so', () => {
    const many = (type: string) =>
      schema(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`p${index}`, { type }])));
    const diff = diffContracts(sampleTool(many('string')), sampleTool(many('number')));
    expect(diff).toMatchObject({ breaking: true, truncated: true });
    expect(diff.changes).toHaveLength(500);
  });
});
