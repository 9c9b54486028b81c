import { describe, expect, it } from '@jest/globals';
import type { HttpBinding, PriceRule } from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { Documents } from '../../domain/documents.js';
import type { Conversion } from '../../domain/imported.js';
import { TooManyOperations, toTools, type OpenApiChoices } from './to-tools.js';

const price: PriceRule = { metering: { kind: 'call' }, amountMicroCredits: '0', unitLabel: 'call' };
const base = 'https://api.example.com/spec/openapi.json';

function convert(root: JsonObject, over: Partial<OpenApiChoices> = {}): Conversion {
  const document = { openapi: '3.0.3', servers: [{ url: 'https://api.example.com/' }], ...root };
  const choices = {
    providerId: 'acme',
    price,
    categories: [],
    timeoutMs: 1_000,
    knownIds: {},
    maxOperations: 10,
    ...over,
  };
  return toTools(new Documents(base, new Map<string, JsonValue>([[base, document]])), choices);
}
const only = (operation: JsonObject, { method = 'get', path = '/things', root = {} } = {}) => {
  const { tools, skipped } = convert({ paths: { [path]: { [method]: operation } }, ...root });
  const [first] = tools;
  return {
    tool: first?.tool,
    notes: first?.notes,
    reason: skipped[0]?.reason,
    binding: first?.tool.binding as HttpBinding,
  };
};
const json = (schema: JsonValue, over: JsonObject = {}): JsonObject => ({
  requestBody: { content: { 'application/json': { schema } }, ...over },
});

describe('parameters', () => {
  it('go where they are declared, under names that agents can write', () => {
    const { tool, binding } = only(
      {
        parameters: [
          { name: 'filter[state]', in: 'query', schema: { type: 'array' }, explode: false },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'id', in: 'query', schema: { type: 'integer' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          {
            name: 'page',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { size: { type: 'integer' } } },
          },
        ],
      },
      { path: '/things/{id}' },
    );
    expect(binding.url).toBe('https://api.example.com/things/{id}');
    expect(binding.placements).toEqual({
      filter_state: { in: 'query', name: 'filter[state]', list: 'comma' },
      'X-Trace': { in: 'header' },
      id: { in: 'query' },
      page_size: { in: 'query', name: 'page[size]' },
      path_id: { in: 'path', name: 'id' },
    });
    expect(tool?.parametersSchema).toMatchObject({ additionalProperties: false, required: ['path_id'] });
  });

  it('of an operation win over those of its path', () => {
    const item = {
      parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }],
      get: { parameters: [{ name: 'a', in: 'query', required: true, schema: { type: 'integer' } }] },
    };
    const [first] = convert({ paths: { '/x': item } }).tools;
    expect(first?.tool.parametersSchema).toMatchObject({ properties: { a: { type: 'integer' } }, required: ['a'] });
  });

  it.each([
    ['a cookie', { name: 'session', in: 'cookie', required: true }, /cookies/],
    ['a header of the connection', { name: 'Host', in: 'header', required: true }, /connection/],
    ['a matrix style', { name: 'id', in: 'path', required: true, style: 'matrix' }, /matrix/],
    ['a reference in a circle', { $ref: '#/components/parameters/Self' }, /back to itself/],
  ])('that cannot be sent skip the operation: %s', (_what, parameter, why) => {
    const root = { components: { parameters: { Self: { $ref: '#/components/parameters/Self' } } } };
    expect(only({ parameters: [parameter] }, { path: '/x/{id}', root }).reason).toMatch(why);
  });
});

describe('a body', () => {
  it('of an object, through references and allOf, is a parameter a property', () => {
    const root = { components: { schemas: { Base: { required: ['a'], properties: { a: { type: 'string' } } } } } };
    const body = json(
      {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { properties: { b: { type: 'integer', readOnly: true }, c: {} } },
        ],
      },
      { required: true },
    );
    const { tool, binding } = only(body, { method: 'post', root });
    expect(tool?.parametersSchema).toMatchObject({ properties: { a: { type: 'string' }, c: {} }, required: ['a'] });
    expect(binding.placements).toEqual({ a: { in: 'body' }, c: { in: 'body' } });
  });

  it('that may be left out is whole where it is sent', () => {
    const { tool } = only(json({ required: ['a'], properties: { a: {}, b: {} } }), { method: 'post' });
    expect(tool?.parametersSchema).toMatchObject({ dependentRequired: { a: [], b: ['a'] } });
    expect(tool?.parametersSchema).not.toHaveProperty('required');
  });

  it.each([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['alternatives', { oneOf: [{ type: 'string' }, { type: 'integer' }] }],
  ])('of %s is the parameter body', (_what, schema) => {
    expect(only(json(schema, { required: true }), { method: 'put' }).binding.placements).toEqual({
      body: { in: 'body', whole: true },
    });
  });

  it('may be a form or another kind of JSON; what is neither skips the operation', () => {
    const schema = { properties: { a: {} } };
    const body = (type: string) => ({ requestBody: { required: true, content: { [type]: { schema } } } });
    expect(only(body('application/x-www-form-urlencoded'), { method: 'post' }).binding.placements).toEqual({
      a: { in: 'form' },
    });
    expect(only(body('application/merge-patch+json'), { method: 'patch' }).binding.headers).toEqual({
      'content-type': 'application/merge-patch+json',
    });
    expect(only(body('multipart/form-data'), { method: 'post' }).reason).toMatch(/neither JSON nor a form/);
    expect(only(body('application/json')).reason).toMatch(/GET requests/);
  });
});

describe('who calls', () => {
  const root = {
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 's' },
        token: { type: 'http', scheme: 'Bearer' },
        pair: { type: 'http', scheme: 'basic' },
        machine: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } } },
        person: { type: 'oauth2', flows: { authorizationCode: {} } },
        digest: { type: 'http', scheme: 'digest' },
      },
    },
  };
  it.each<[string, JsonValue | undefined, JsonValue]>([
    ['as the document says', undefined, { kind: 'api_key', in: 'header', name: 'X-Key' }],
    ['nobody, where the operation says so', [], { kind: 'none' }],
    ['nobody, where that is an alternative', [{ token: [] }, {}], { kind: 'none' }],
    ['a bearer token', [{ token: [] }], { kind: 'bearer' }],
    ['name and password', [{ pair: [] }], { kind: 'basic' }],
    [
      'a client',
      [{ machine: ['read'] }],
      { kind: 'oauth2_client_credentials', tokenUrl: 'https://api.example.com/token', scopes: ['read'] },
    ],
    ['a token that somebody signed in for', [{ person: [] }], { kind: 'bearer' }],
    [
      'the first alternative that can be met',
      [{ cookie: [] }, { key: [], token: [] }, { pair: [] }],
      { kind: 'basic' },
    ],
  ])('is %s', (_what, security, auth) => {
    expect(only(security === undefined ? {} : { security }, { root }).binding.auth).toEqual(auth);
  });

  it.each([[[{ cookie: [] }]], [[{ digest: [] }]], [[{ unheard: [] }]], [[{ key: [], token: [] }]]])(
    '%j cannot be met',
    (security) => {
      expect(only({ security }, { root }).reason).toMatch(/not supported/);
    },
  );
});

describe('the server', () => {
  it.each<[JsonValue, string]>([
    [[{ url: '/v2/' }], 'https://api.example.com/v2/things'],
    [
      [{ url: 'https://{region}.example.com/{v}', variables: { region: { default: 'eu' }, v: { default: 'v3' } } }],
      'https://eu.example.com/v3/things',
    ],
    [[], 'https://api.example.com/things'],
  ])('%j gives %s', (servers, url) => {
    expect(only({}, { root: { servers } }).binding.url).toBe(url);
  });

  it('of an operation wins, and the importer over all', () => {
    const paths = { '/a': { get: { servers: [{ url: 'https://own.example.com' }] } } };
    const urlOf = ({ tools }: Conversion) => (tools[0]?.tool.binding as HttpBinding).url;
    expect(urlOf(convert({ paths }))).toBe('https://own.example.com/a');
    expect(urlOf(convert({ paths }, { serverUrl: 'https://mine.example.com/x/?q=1' }))).toBe(
      'https://mine.example.com/x/a',
    );
  });
});

describe('ids', () => {
  const paths = {
    '/pets': { get: { operationId: 'listPets' }, post: {} },
    '/pets/{id}': { get: {}, delete: { operationId: 'pets/remove-one' } },
    '/v1/pets': { get: { operationId: 'list_pets' } },
  };
  it('come from the operation or its path, and no two are alike', () => {
    expect(convert({ paths }).tools.map(({ tool }) => tool.toolId)).toEqual([
      'acme.pets.list.v1',
      'acme.pets.create.v1',
      'acme.pets.get.v1',
      'acme.pets.remove_one.v1',
      'acme.pets.list_2.v1',
    ]);
  });

  it('stay with their operation whatever is renamed or added before it', () => {
    const knownIds = Object.fromEntries(convert({ paths }).tools.map(({ key, tool }) => [key, tool.toolId]));
    const changed = {
      '/a': { get: { operationId: 'listPets' } },
      ...paths,
      '/pets': { get: { operationId: 'renamed' } },
    };
    const ids = Object.fromEntries(
      convert({ paths: changed }, { knownIds }).tools.map(({ key, tool }) => [key, tool.toolId]),
    );
    expect(ids).toMatchObject({
      'GET /pets': 'acme.pets.list.v1',
      'GET /v1/pets': 'acme.pets.list_2.v1',
      'GET /a': 'acme.pets.list_3.v1',
    });
  });
});

describe('an import', () => {
  it('takes what is chosen, and not more than it may', () => {
    const operation = (more: JsonObject = {}) => ({ get: { tags: ['Shop'], ...more } });
    const paths = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`/a${index}`, operation()]));
    expect(() => convert({ paths })).toThrow(TooManyOperations);
    expect(convert({ paths }, { include: ['GET /a1*'] }).tools).toHaveLength(2);
    expect(convert({ paths }, { exclude: ['tag:shop'] }).tools).toHaveLength(0);
    const old = { '/old': operation({ deprecated: true }) };
    expect(convert({ paths: old }).skipped[0]?.reason).toMatch(/deprecated/);
    expect(convert({ paths: old }, { include: ['*'] }).tools).toHaveLength(1);
  });

  it('shows samples of what the document shows, and texts without control characters', () => {
    const { tool } = only({
      summary: 'Line one\nand \u202etwo',
      description: 'Text\u0000.',
      responses: { 200: { description: 'A list of things.' } },
      parameters: [
        { name: 'a', in: 'query', required: true, schema: { type: 'integer', minimum: 7 } },
        { name: 'b', in: 'query', schema: { type: 'string' }, examples: { one: { value: 'shown' } } },
        { name: 'c', in: 'query', schema: { type: 'string' } },
      ],
    });
    expect(tool).toMatchObject({
      name: { en: 'Line one and two' },
      description: { en: 'Text.\n\nReturns: A list of things.' },
      sampleParameters: { a: 7, b: 'shown' },
    });
  });

  it('describes less of a schema that is too large, and says so', () => {
    const schemas: JsonObject = {};
    for (let level = 0; level < 40; level += 1) {
      schemas[`S${level}`] = {
        properties: {
          x: { $ref: `#/components/schemas/S${level + 1}` },
          y: { description: 'd'.repeat(2_000), enum: Array.from({ length: 300 }, (_, i) => `v${i}`) },
        },
      };
    }
    schemas['S40'] = {};
    const { tool, notes } = only(json({ $ref: '#/components/schemas/S0' }, { required: true }), {
      method: 'post',
      root: { components: { schemas } },
    });
    expect(JSON.stringify(tool?.parametersSchema).length).toBeLessThan(65_536);
    expect(notes).toEqual([expect.stringMatching(/too large/)]);
  });
});
