import { describe, expect, it } from '@jest/globals';
import { IsIn, IsInt, IsOptional, IsString, Matches, MaxLength, Min, ValidateBy } from 'class-validator';
import { CapabilityQueryBody } from '@capability-router/capability-routing/requests';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '@capability-router/kernel';
import { adminOpenApi } from './admin-document.js';
import { adminRoutes } from './admin-routes.js';
import { openApiOf } from './interface-document.js';
import { publicOpenApi } from './public-document.js';
import { requestSchema } from './request-schema.js';

class Sample {
  @IsString() @MaxLength(5) @Matches(/^a/) @Matches(/z$/) readonly name: string;
  @IsOptional() @IsInt() @Min(1) readonly limit?: number | null;
  @IsOptional() @IsIn(['a', 'b'], { each: true }) readonly kinds?: string[];
}
class Unknown {
  @ValidateBy({ name: 'isOdd', validator: { validate: () => true } }) readonly number: number;
}

/** The members of an operation that are looked at. */
interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const operationsOf = (document: JsonObject) =>
  Object.entries(document['paths'] as unknown as Paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

describe.each([
  ['callers', publicOpenApi(), 80],
  ['administrators', adminOpenApi(), 60],
])('the OpenAPI document of %s', (_of, document, leastSchemas) => {
  const all = operationsOf(document);

  it('names every operation once, and every part of its paths', () => {
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, parameters = [] } of all) {
      const named = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name);
      expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    }
  });

  it('refers to nothing that is not there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref = '']) => ref.split('/'));
    expect(refs.length).toBeGreaterThan(100);
    for (const ref of refs) {
      const found = ref.reduce<unknown>((value, part) => (value as JsonObject | undefined)?.[part], document);
      expect([ref, typeof found]).toEqual([ref, 'object']);
    }
  });

  it('has schemas that a strict validator of JSON Schema takes', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }));
    const schemas = all.flatMap(({ parameters = [], requestBody }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    ]);
    const components = { schemas: (document['components'] as JsonObject)['schemas'] ?? {} };
    expect(schemas.length).toBeGreaterThan(leastSchemas);
    // Where the references of a schema lead to.
    ajv.addVocabulary(['components']);
    for (const schema of schemas) expect(() => ajv.compile({ ...schema, components })).not.toThrow();
  });
});

/** Operations that answer bytes of any kind, or nothing, or the document itself. */
const withoutExample: ReadonlySet<string> = new Set(['headResult', 'getOpenApi', 'getAdminOpenApi']);

interface Media {
  readonly schema?: JsonObject;
  readonly example?: unknown;
}

describe.each([
  ['callers', publicOpenApi()],
  ['administrators', adminOpenApi()],
])('an operation for %s', (_for, document) => {
  const all = operationsOf(document);
  const success = ({ responses }: Described): Media[] =>
    Object.entries(responses).flatMap(([status, response]) =>
      status.startsWith('2') ? Object.values((response as { content?: Record<string, Media> }).content ?? {}) : [],
    );
  const request = ({ requestBody }: Described): Media[] => Object.values(requestBody?.content ?? {});

  it('has an example of its request and of its answer', () => {
    const described = all.filter(({ operationId }) => !withoutExample.has(operationId));
    const shows = (media: readonly Media[]): boolean => media.some(({ example }) => example !== undefined);
    const lacking = described.filter(
      (one) => !shows(success(one)) || (one.requestBody !== undefined && !shows(request(one))),
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has examples that its schemas allow', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, schemas: { document } }));
    const faults = all.flatMap((one) =>
      [...request(one), ...success(one)].flatMap(({ schema, example }) => {
        if (schema === undefined || example === undefined) return [];
        const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as JsonObject;
        const validate = ajv.compile(local);
        return validate(example) ? [] : [[one.operationId, validate.errors]];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe('the document of callers', () => {
  const paths = publicOpenApi()['paths'] as unknown as Paths;
  const operation = (method: string, path: string): Described => {
    const found = paths[path]?.[method];
    if (found === undefined) throw new Error(`${method} ${path} is not there`);
    return found;
  };

  it('tells of a route what its service asks for, and what the gateway does with it', () => {
    const search = operation('post', '/search').requestBody?.content['application/json']?.schema;
    expect(search).toMatchObject({
      required: ['query'],
      properties: { query: { type: 'string', maxLength: 2_000 }, limit: { type: ['integer', 'null'], maximum: 100 } },
    });
    expect(search).not.toHaveProperty('additionalProperties');
    expect(operation('post', '/capabilities/query').requestBody?.content['application/json']?.schema).toMatchObject({
      additionalProperties: false,
    });
    const call = operation('post', '/tools/execute');
    expect(call.parameters?.map(({ name }) => name)).toEqual(['tool_id', 'Idempotency-Key', 'X-Service-Cache-Mode']);
    expect(Object.keys(call.responses)).toEqual(expect.arrayContaining(['200', '401', '402', '409', '422', '429']));
    expect(paths).toHaveProperty(['/auth/api-keys/{api_key_id}:rotate', 'post']);
    expect(operation('post', '/oauth/token').requestBody?.content).toHaveProperty([
      'application/x-www-form-urlencoded',
    ]);
  });
});

describe('the document of administrators', () => {
  const paths = adminOpenApi()['paths'] as unknown as Paths;

  it('has the routes of every service, those that only a controller of identity knows among them', () => {
    const names = ['/accounts/{account_id}/grants', '/tools/{tool_id}:publish', '/provider-credentials:rotate'];
    for (const name of [...names, '/rate-limit-plans/{name}', '/exceptions/{exception_id}/write-off']) {
      expect(Object.keys(paths)).toContain(name);
    }
    const grant = paths['/accounts/{account_id}/grants']?.['post'];
    expect(grant?.parameters?.map(({ name }) => name)).toEqual(['account_id', 'Idempotency-Key']);
    expect(Object.keys(grant?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '401', '403', '404', '409', '422']),
    );
  });

  it('cannot be made while a route has no operation, or an operation no route', () => {
    const described = { title: '', summary: '', description: '', prefix: '/admin/v1', tags: {}, ownPaths: {} };
    expect(() => openApiOf({ ...described, routes: adminRoutes, operations: {} })).toThrow(/describe this route/);
    const operation = { id: 'none', tag: 'None', summary: 'None.', answer: 'MetaAnswer' } as const;
    const operations = { 'GET /none': operation };
    expect(() => openApiOf({ ...described, routes: [], operations })).toThrow(/the gateway has no such route/);
  });
});

describe('the form of a request', () => {
  it('is told by the rules of its class', () => {
    expect(requestSchema(Sample, { nullable: true, closed: true })).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 5, pattern: expect.any(String), allOf: [{ pattern: expect.any(String) }] },
        limit: { type: ['integer', 'null'], minimum: 1 },
        kinds: { type: ['array', 'null'], items: { enum: ['a', 'b'] } },
      },
      additionalProperties: false,
    });
    const query = requestSchema(Sample, { nullable: false, closed: false });
    expect(query).toMatchObject({ properties: { limit: { type: 'integer' } } });
    expect(query).not.toHaveProperty('additionalProperties');
  });

  it('lets a query for a capability ask for all bytes, as the service does, and for no number below', () => {
    const schema = requestSchema(CapabilityQueryBody, { nullable: true, closed: true });
    const takes = new Ajv2020({ strict: false }).compile(schema);
    const sizes = [-1, 1, 20_480, null, 0, -2, 1.5, '9'];
    const taken = sizes.filter((size) => takes({ capability_id: 'geo.distance', max_response_size: size }));
    expect(taken).toEqual([-1, 1, 20_480, null]);
  });

  it('is not guessed where a rule is not known', () => {
    expect(() => requestSchema(Unknown, { nullable: true, closed: true })).toThrow(
      /Unknown\.number: say in .* "isOdd"/,
    );
  });
});
