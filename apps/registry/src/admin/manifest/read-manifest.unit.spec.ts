import { describe, expect, it } from '@jest/globals';
import { toolDocument, providerDocument } from '../test-support/sample-manifest.js';
import { readManifest, type ReadManifest } from './read-manifest.js';
import { toProviderDocument, toToolDocument } from './to-document.js';

const MAX_VALUES = 10_000;
const read = (document: unknown) => readManifest(document, { base: [], maxValues: MAX_VALUES });
const row = (over: Record<string, unknown> = {}) => toolDocument({ kind: 'tool', provider_id: 'acme', ...over });
const valueOf = (document: unknown): ReadManifest => {
  const result = read(document);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const faultsOf = (document: unknown): string[] => {
  const result = read(document);
  return result.ok ? [] : result.error.map(({ type, loc }) => `${type} ${loc.join('.')}`);
};
const parameters = (over: Record<string, unknown>) =>
  row({
    examples: [],
    binding: http({ url: 'https://a.example/', placements: {} }),
    parameter_descriptions_zh: {},
    parameters_schema: { type: 'object', additionalProperties: false, ...over },
  });
const http = (over: Record<string, unknown> = {}) => ({ ...(toolDocument()['binding'] as object), ...over });

/** In the spelling of manifests; each makes every call fail, or belongs to somebody else. */
const reserved = [
  ...['Host', 'Transfer-Encoding', 'Connection', 'Content-Length', 'Authorization', 'Proxy-Authorization', 'Cookie'],
  ...['Keep-Alive', 'Proxy-Connection', 'TE', 'Trailer', 'Upgrade', 'Expect', 'Accept-Encoding', 'X:Y'],
];

describe('a manifest', () => {
  it('becomes what the catalogue works with, money exact', () => {
    const [tool] = valueOf(row({ price: { amount_credits: '0.000001', minimum_credits: 0.3 } })).tools;
    expect(tool?.intent).toBe('publish');
    expect(tool?.manifest).toMatchObject({
      toolId: 'acme.weather.forecast.v1',
      price: { metering: { kind: 'call' }, amountMicroCredits: '1', minimumMicroCredits: '300000', unitLabel: 'call' },
      sampleParameters: { city: 'Bern', days: 3 },
      timeoutMs: 30_000,
    });
    expect(tool?.manifest).not.toHaveProperty('region');
  });

  it('says whose credentials calls carry, and says so when it is shown again', () => {
    const { provider } = valueOf({ ...providerDocument(), kind: 'provider', credential: 'account' });
    expect(provider).toMatchObject({ credential: 'account' });
    expect(provider && toProviderDocument(provider)).toMatchObject({ credential: 'account' });
    expect(valueOf({ ...providerDocument(), kind: 'provider' }).provider).not.toHaveProperty('credential');
    expect(faultsOf({ ...providerDocument(), kind: 'provider', credential: 'mine' })).toEqual(['enum credential']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['http', row({ examples: [{ title: 'Bern', parameters: { city: 'Bern' } }, { parameters: { city: 'Ulm' } }] })],
    [
      'mcp',
      row({
        binding: {
          kind: 'mcp',
          server: { transport: 'streamable_http', url: 'https://a.example/mcp' },
          tool: 'x',
          auth: { kind: 'oauth2_client_credentials', token_url: 'https://a.example/t' },
        },
        region: 'US|CA',
        docs_url: 'https://a.example/',
      }),
    ],
    [
      'metered',
      row({
        price: {
          amount_credits: 1,
          metering: { kind: 'result_rows', limit_parameter: 'days', default_limit: 5, max_units: 14 },
        },
        result: { empty_when: '$[?(@.none)]', partial_when: '$.more', schema: { type: 'array' } },
      }),
    ],
  ])('of a tool (%s) written from what was read is read as the same', (_what, document) => {
    const [tool] = valueOf(document).tools;
    if (tool === undefined) throw new Error('a tool was read');
    expect(valueOf({ kind: 'tool', ...toToolDocument(tool.manifest) }).tools).toEqual([tool]);
  });

  it.each<[string, unknown, string]>([
    ['no object', [1], 'dict_type '],
    ['no kind', toolDocument(), 'missing kind'],
    ['an unknown kind', { kind: 'toaster' }, 'enum kind'],
    ['an unknown field', row({ colour: 'red' }), 'extra_forbidden colour'],
    ['a field that is missing', { ...row(), name: undefined }, 'missing name'],
    ['an id of digits', row({ tool_id: '1234567890' }), 'string_pattern_mismatch tool_id'],
    ['an id of another provider', row({ provider_id: 'other' }), 'value_error tool_id'],
    ['a built-in binding', row({ binding: { kind: 'builtin', operation: 'x' } }), 'value_error binding'],
    ['a name of two lines', row({ name: { en: 'a\nb' } }), 'string_pattern_mismatch name.en'],
    ['a blank name', row({ name: { en: ' ' } }), 'string_pattern_mismatch name.en'],
    ['a long name', row({ name: { en: 'x'.repeat(201) } }), 'too_long name.en'],
    [
      'a control character in a schema',
      parameters({ description: 'a\u0000' }),
      'control_character parameters_schema.description',
    ],
    ['text that turns around', row({ name: { en: 'a\u202Eb' } }), 'control_character name.en'],
    ['half a character', row({ name: { en: 'a\uD800' } }), 'control_character name.en'],
    [
      'a price of seven decimals',
      row({ price: { amount_credits: '0.0000001' } }),
      'string_pattern_mismatch price.amount_credits',
    ],
    ['a number of seven decimals', row({ price: { amount_credits: 0.0000001 } }), 'value_error price.amount_credits'],
    ['a negative price', row({ price: { amount_credits: -1 } }), 'greater_than_equal price.amount_credits'],
    [
      'metering without an upper bound',
      row({ price: { amount_credits: 1, metering: { kind: 'result_rows' } } }),
      'missing price.metering.max_units',
    ],
    [
      'a bound that nobody can hold',
      row({ price: { amount_credits: 9e9, metering: { kind: 'result_rows', max_units: 2 } } }),
      'value_error price.metering.max_units',
    ],
    [
      'metering by no parameter',
      row({ price: { amount_credits: 1, metering: { kind: 'parameter_kilobytes', parameter: 'x', max_units: 2 } } }),
      'value_error price.metering.parameter',
    ],
    [
      'an example that does not fit',
      row({ examples: [{ parameters: { town: 'x' } }] }),
      'value_error examples.0.parameters.town',
    ],
    [
      'an example that lacks a parameter',
      row({ examples: [{ parameters: {} }] }),
      'missing examples.0.parameters.city',
    ],
    ['a group of no parameter', row({ one_of_required: [['x']] }), 'value_error one_of_required.0'],
    ['a slot without a parameter', row({ binding: http({ placements: {} }) }), 'value_error binding.url'],
    [
      'a parameter without a slot',
      row({ binding: http({ url: 'https://a.example/' }) }),
      'value_error binding.placements.city',
    ],
    [
      'an optional parameter in the path',
      row({
        binding: http({
          url: 'https://a.example/{city}/{days}',
          placements: { city: { in: 'path' }, days: { in: 'path' } },
        }),
      }),
      'value_error binding.placements.days',
    ],
    ['a URL of another kind', row({ binding: http({ url: 'file:///etc/{city}' }) }), 'url_parsing binding.url'],
    ['a URL with a password', row({ docs_url: 'https://a:b@c.example/' }), 'url_parsing docs_url'],
    [
      'a header of its own',
      row({ binding: http({ headers: { Authorization: 'x' } }) }),
      'value_error binding.headers.Authorization',
    ],
    [
      'a header of two lines',
      row({ binding: http({ headers: { 'x-client': 'a\nb' } }) }),
      'value_error binding.headers.x-client',
    ],
    [
      'a header in another script',
      row({ binding: http({ headers: { 'x-client': 'ключ' } }) }),
      'value_error binding.headers.x-client',
    ],
    [
      'a name that is no header',
      row({ binding: http({ headers: { 'x:client': 'a' } }) }),
      'string_pattern_mismatch binding.headers',
    ],
    ...reserved.map((name): [string, unknown, string] => [
      `a parameter placed into ${name}`,
      row({ binding: http({ placements: { city: { in: 'path' }, days: { in: 'header', name } } }) }),
      'value_error binding.placements.days',
    ]),
    ...reserved
      .filter((name) => !['Authorization', 'Cookie'].includes(name))
      .map((name): [string, unknown, string] => [
        `a credential placed into ${name}`,
        row({ binding: http({ auth: { kind: 'api_key', in: 'header', name } }) }),
        'value_error binding.auth.name',
      ]),
    [
      'a parameter whose own name is a reserved header',
      row({
        parameters_schema: {
          type: 'object',
          additionalProperties: false,
          required: ['city'],
          properties: { city: { type: 'string' }, host: { type: 'string' } },
        },
        binding: http({ placements: { city: { in: 'path' }, host: { in: 'header' } } }),
      }),
      'value_error binding.placements.host',
    ],
    [
      'a result path that is no JSONPath',
      row({ binding: http({ result_path: '$.[' }) }),
      'value_error binding.result_path',
    ],
    ['a predicate that is no JSONPath', row({ result: { empty_when: '$[?' } }), 'value_error result.empty_when'],
    ['another', row({ result: { partial_when: '$..' } }), 'value_error result.partial_when'],
    ['a result schema that is none', row({ result: { schema: { type: 'x' } } }), 'enum result.schema.type'],
    [
      'a command line',
      row({ binding: { kind: 'mcp', server: { transport: 'stdio', command: 'rm -rf /' }, tool: 'x' } }),
      'string_pattern_mismatch binding.server.command',
    ],
    [
      'more than a tool can be',
      row({ parameters_schema: { type: 'object', additionalProperties: false, title: 'x'.repeat(140_000) } }),
      'too_long ',
    ],
  ])('with %s is refused with its path', (_what, document, fault) => {
    expect(faultsOf(JSON.parse(JSON.stringify(document)))).toContain(fault);
  });

  it('with a member that JavaScript takes for something else is refused', () => {
    expect(faultsOf(JSON.parse('{"kind":"tool","__proto__":{"x":1}}'))).toContain('extra_forbidden __proto__');
  });

  it('that repeats itself in memory is refused before it is walked to its end', () => {
    let bomb: unknown = 'x';
    for (let level = 0; level < 40; level += 1) bomb = [bomb, bomb];
    expect(faultsOf(row({ examples: bomb }))).toEqual(['too_long ']);
  });

  it('of a provider is refused for tools that are there twice', () => {
    const twice = providerDocument({ tools: [toolDocument(), toolDocument()] });
    expect(faultsOf(twice)).toEqual(['value_error tools.1.tool_id']);
    const networks = providerDocument({ egress: { allow_networks: ['10.0.0.0/8', '10.0.0/8', '::/129'] } });
    expect(faultsOf(networks)).toEqual(['value_error egress.allow_networks.1', 'value_error egress.allow_networks.2']);
  });
});

describe('a schema of parameters', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['is no JSON Schema', { properties: { a: { type: 'strnig' } } }, 'parameters_schema.properties.a.type'],
    ['refers outside', { properties: { a: { $ref: 'https://a.example/b' } } }, 'parameters_schema.properties.a.$ref'],
    ['refers to nothing', { properties: { a: { $ref: '#/$defs/b' } } }, 'parameters_schema.properties.a.$ref'],
    ['is of another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'parameters_schema.$schema'],
    ['names itself', { $id: 'https://a.example/' }, 'parameters_schema.$id'],
    ['has a pattern that is none', { properties: { a: { pattern: '(' } } }, 'parameters_schema.properties.a.pattern'],
    [
      'refers to itself for the same value',
      { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } },
      'parameters_schema',
    ],
    [
      'multiplies',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `d${index}`,
            index === 29 ? {} : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
          ]),
        ),
      },
      'parameters_schema',
    ],
  ])('that %s is refused', (_what, over, path) => {
    expect(faultsOf(parameters(over)).map((fault) => fault.split(' ')[1])).toContain(path);
  });

  it('may refer to itself for a part of the value', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } };
    expect(faultsOf(parameters({ properties: { root: { $ref: '#/$defs/tree' } }, $defs: { tree } }))).toEqual([]);
  });
});
