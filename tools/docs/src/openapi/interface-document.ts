import { API_CONTRACT_VERSION } from '@capability-router/contracts';
import { templateOfRoute, type ShapeName } from '@capability-router/contracts/answers';
import type { GatewayRoute } from '@capability-router/gateway';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { componentSchemas } from './component-schemas.js';
import { answerHeadersOf, headersOf, replayedHeader } from './answer-headers.js';
import { withExamples } from './examples.js';
import { FailureResponses, jsonOf } from './failure-responses.js';
import type { Operation, Operations } from './operations/operation.js';
import { pathParameter, queryParameter, type Parameter } from './parameters.js';
import { requestSchema, type RequestClass } from './request-schema.js';
import { statusesOf, textOfStatus } from './statuses.js';

/** A part of what the gateway answers, which is described by a document of its own. */
export interface Interface {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  /** The path that all of its paths begin with. */
  readonly prefix: string;
  /** Each tag's subject, by its name. */
  readonly tags: Readonly<Record<string, string>>;
  /** With the prefix in their paths. */
  readonly routes: readonly GatewayRoute[];
  /** By method and path behind the prefix. */
  readonly operations: Operations;
  /** Served by the gateway itself, by path behind the prefix. */
  readonly ownPaths: Readonly<Record<string, JsonObject>>;
  /** Declared beside the shapes of answers, by name. */
  readonly schemas?: Readonly<Record<string, JsonObject>>;
}

/**
 * The interface as OpenAPI 3.1: its routes and how they are guarded from the gateway, bodies and queries from the classes by which
 * services judge them, answers from the shapes that the acceptance suite holds every answer to. Throws for a route that no
 * operation describes, and for an operation without a route.
 */
export function openApiOf(described: Interface): JsonObject {
  return withExamples(opened(documentOf(described)), described.prefix);
}

/** Generators of clients take an object of which nothing is said for one without members. */
function opened<Value extends JsonValue>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => opened(item)) as JsonValue as Value;
  if (!isJsonObject(value)) return value;
  const inner: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) inner[name] = opened(member);
  const { type, properties, additionalProperties } = inner;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  const saysNothing = isObject && properties === undefined && additionalProperties === undefined;
  selectByMember(inner);
  return (saysNothing ? { ...inner, additionalProperties: true } : inner) as JsonValue as Value;
}

/** A discriminator of OpenAPI selects named schemas alone; these tell by a constant member which they are. */
function selectByMember(schema: Record<string, JsonValue>): void {
  const { discriminator, oneOf } = schema;
  const name = isJsonObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (typeof name !== 'string' || !Array.isArray(oneOf)) return;
  delete schema['discriminator'];
  schema['oneOf'] = oneOf.map((one) => {
    if (!isJsonObject(one)) return one;
    const required = Array.isArray(one['required']) ? one['required'] : [];
    return { ...one, required: [...new Set([name, ...required])] };
  });
}

function documentOf({ prefix, tags, routes, operations, ownPaths, schemas = {}, ...about }: Interface): JsonObject {
  const named = new Map(
    routes.map((route) => [`${route.method} ${templateOfRoute(route.path.slice(prefix.length))}`, route]),
  );
  for (const name of Object.keys(operations)) {
    if (!named.has(name)) throw new Error(`${name}: the gateway has no such route; see the folder operations`);
  }
  const paths: Record<string, JsonObject> = {};
  const failures = new FailureResponses();
  for (const [name, route] of named) {
    const operation = operations[name];
    if (operation === undefined) throw new Error(`${name}: describe this route in the folder operations`);
    for (const one of [operation].flat()) {
      const path = documentedPath(templateOfRoute(route.path.slice(prefix.length)), one);
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, one, failures) };
    }
  }
  const responses = failures.declared();
  return {
    openapi: '3.1.1',
    info: {
      title: about.title,
      version: API_CONTRACT_VERSION,
      summary: about.summary,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix, description: 'This deployment.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths: { ...paths, ...ownPaths },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token of OAuth.' },
      },
      headers: answerHeadersOf({ paths, responses, own: ownPaths }),
      responses,
      schemas: componentSchemas({ paths, responses, own: ownPaths }, schemas),
    },
  };
}

/** Names of parts as answers have them, and the action of a route that has one. */
function documentedPath(template: string, { action }: Operation): string {
  const end = action?.parameter === undefined ? (action?.verb ?? '') : `{${action.parameter}}:${action.verb}`;
  const named = action === undefined ? template : template.replace(/\{\w+\}$/, end);
  return named.replaceAll(/\{(\w+)\}/g, (_, part: string) => `{${snake(part)}}`);
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function describe(route: GatewayRoute, operation: Operation, failures: FailureResponses): JsonObject {
  const { id, tag, summary, body, success = 200 } = operation;
  const parameters = parametersOf(route, operation);
  const hasQuery = parameters.some(({ in: place }) => place === 'query');
  const statuses = [...new Set([...statusesOf(route, hasQuery, body !== undefined), ...(operation.statuses ?? [])])]
    .filter((status) => status !== success)
    .sort((a, b) => a - b);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(route.scope === undefined ? {} : { description: `A key or token needs the scope \`${route.scope}\`.` }),
    ...(route.auth === 'none' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(route, operation, body) }),
    responses: {
      [success]: {
        description: textOfStatus(success),
        headers: { ...headersOf(success, route), ...(operation.replayed === true ? replayedHeader : {}) },
        content: contentOf(operation),
      },
      ...Object.fromEntries(statuses.map((status) => [status, failures.of(status, route, contentOf(operation))])),
    },
  };
}

function parametersOf({ path }: GatewayRoute, { query, parameters = [], action }: Operation): Parameter[] {
  const parts = [...templateOfRoute(path).matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part);
  // The last one is an action, or ends in one.
  if (action !== undefined) parts.splice(-1, 1, ...(action.parameter === undefined ? [] : [action.parameter]));
  return [...parts.map((part) => pathParameter(part, snake(part))), ...parameters, ...queryParameters(query)];
}

function queryParameters(query: RequestClass | undefined): Parameter[] {
  if (query === undefined) return [];
  const { properties, required } = requestSchema(query, { nullable: false, closed: false });
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) =>
    queryParameter(name, needed.includes(name), isJsonObject(schema) ? schema : {}),
  );
}

function requestBodyOf(
  route: GatewayRoute,
  { closed, bodyOrNull, bodyTypes }: Operation,
  body: RequestClass | JsonObject,
): JsonObject {
  const named = typeof body === 'function' ? requestSchema(body, { nullable: true, closed: closed === true }) : body;
  const schema = bodyOrNull === true ? { ...named, type: ['object', 'null'] } : named;
  const types = bodyTypes ?? [route.form === true ? 'application/x-www-form-urlencoded' : 'application/json'];
  return {
    required: route.bodyOptional !== true || schema['required'] !== undefined,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

function contentOf({ answer }: Operation): JsonObject {
  if (typeof answer === 'string') return jsonOf([answer]);
  return Object.fromEntries(
    answer.types.map((type) => [type, answer.schema === undefined ? {} : { schema: answer.schema }]),
  );
}

/** A read that the gateway answers itself, to everybody. */
export function ownRead(id: string, summary: string, answer: ShapeName | undefined): JsonObject {
  return {
    get: {
      operationId: id,
      tags: ['Service'],
      summary,
      security: [],
      responses: {
        200: {
          description: textOfStatus(200),
          headers: headersOf(200, undefined),
          content: answer === undefined ? { 'application/json': { schema: { type: 'object' } } } : jsonOf([answer]),
        },
        431: { description: textOfStatus(431), headers: headersOf(431, undefined), content: jsonOf(['Failure']) },
      },
    },
  };
}
