import type { ShapeName } from '@capability-router/contracts/answers';
import { API_CONTRACT_VERSION, API_PREFIX } from '@capability-router/contracts';
import { gatewayRoutes, type GatewayRoute } from '@capability-router/gateway';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { componentSchemas } from './component-schemas.js';
import { answerHeaders, headersOf } from './answer-headers.js';
import { FailureResponses, jsonOf } from './failure-responses.js';
import { operations, type Operation } from './operations.js';
import { pathParameter, queryParameter, type Parameter } from './parameters.js';
import { requestSchema, type RequestClass } from './request-schema.js';
import { statusesOf, textOfStatus } from './statuses.js';

const tags: Readonly<Record<string, string>> = {
  Tools: 'Find, inspect, probe and call tools.',
  Capabilities: 'Ask for a capability, and let the router choose among its providers.',
  Catalogue: 'The providers and categories of the catalogue.',
  Billing: 'Balance, usage audit, ledger, and how they agree.',
  'Provider credentials': 'Credentials of the account for providers that are called with its own.',
  Account: 'Keys, projects, consents and the security log of the account.',
  Agents: 'How an agent gets in without a human, and how a human claims its account.',
  OAuth: 'Tokens by the protocols of OAuth.',
  Service: 'The version of the interface, and this document.',
};

/** Routes of the public interface, by method and path behind `/api/v1`, as the document has it. */
const publicRoutes: ReadonlyMap<string, GatewayRoute> = new Map(
  gatewayRoutes
    .filter(({ path }) => path.startsWith(`${API_PREFIX}/`))
    .map((route) => [`${route.method} ${templateOf(route.path.slice(API_PREFIX.length))}`, route]),
);

function templateOf(path: string): string {
  return path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
}

/**
 * The public interface as OpenAPI 3.1: its routes and how they are guarded from the gateway, bodies and queries from the classes
 * by which services judge them, answers from the shapes that the acceptance suite holds every answer to. Throws for a route that
 * no operation describes, and for an operation without a route.
 */
export function publicOpenApi(): JsonObject {
  return opened(interfaceOf(operations));
}

/** Generators of clients take an object of which nothing is said for one without members. */
function opened<Value extends JsonValue>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => opened(item)) as JsonValue as Value;
  if (!isJsonObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, opened(member)]));
  const { type, properties, additionalProperties } = inner;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  const saysNothing = isObject && properties === undefined && additionalProperties === undefined;
  return (saysNothing ? { ...inner, additionalProperties: true } : inner) as JsonValue as Value;
}

function interfaceOf(described: Readonly<Record<string, Operation>>): JsonObject {
  for (const name of Object.keys(described)) {
    if (!publicRoutes.has(name)) throw new Error(`${name}: the gateway has no such route; see operations.ts`);
  }
  const paths: Record<string, JsonObject> = {};
  const failures = new FailureResponses();
  for (const [name, route] of publicRoutes) {
    const operation = described[name];
    if (operation === undefined) throw new Error(`${name}: describe this route in operations.ts`);
    const path = documentedPath(route, operation);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, operation, failures) };
  }
  const responses = failures.declared();
  return {
    openapi: '3.1.1',
    info: {
      title: 'Capability router',
      version: API_CONTRACT_VERSION,
      summary: 'A tool network for software agents.',
      description:
        'Find a tool, call it, and pay only for a result worth charging for. Members that a client does not know are to be ignored; new ones may come.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PREFIX, description: 'This deployment.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths: { ...paths, ...ownPaths },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token of OAuth.' },
      },
      headers: answerHeaders,
      responses,
      schemas: componentSchemas({ paths, responses, own: ownPaths }),
    },
  };
}

/** Names of parts as answers have them, and the action of a route that has one. */
function documentedPath({ path }: GatewayRoute, { action }: Operation): string {
  const template = templateOf(path.slice(API_PREFIX.length));
  const named = action === undefined ? template : template.replace(/\{\w+\}$/, `{${action.parameter}}:${action.verb}`);
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
        headers: headersOf(success, route),
        content: contentOf(operation),
      },
      ...Object.fromEntries(statuses.map((status) => [status, failures.of(status, route, contentOf(operation))])),
    },
  };
}

function parametersOf({ path }: GatewayRoute, { query, parameters = [], action }: Operation): Parameter[] {
  const parts = [...path.matchAll(/:([A-Za-z]+)/g)].flatMap(([, part = '']) =>
    part.endsWith('AndAction') && action !== undefined ? [action.parameter] : [part],
  );
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

function requestBodyOf(route: GatewayRoute, { closed }: Operation, body: RequestClass | JsonObject): JsonObject {
  const schema = typeof body === 'function' ? requestSchema(body, { nullable: true, closed: closed === true }) : body;
  const type = route.form === true ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: route.bodyOptional !== true, content: { [type]: { schema } } };
}

function contentOf({ answer }: Operation): JsonObject {
  if (typeof answer === 'string') return jsonOf([answer]);
  return Object.fromEntries(answer.types.map((type) => [type, {}]));
}

/** Served by the gateway itself. */
const ownPaths: Readonly<Record<string, JsonObject>> = {
  '/meta': ownRead('getMeta', 'Tells the version of the interface.', 'MetaAnswer'),
  '/openapi.json': ownRead('getOpenApi', 'Answers this document.', undefined),
};

function ownRead(id: string, summary: string, answer: ShapeName | undefined): JsonObject {
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
