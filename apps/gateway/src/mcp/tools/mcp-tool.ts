import { API_PREFIX } from '@capability-router/contracts';
import { ok, type JsonObject, type JsonValue, type Result } from '@capability-router/kernel';
import type { Tool } from '@modelcontextprotocol/server';
import type { GatewayRoute } from '../../routes/gateway-route.js';
import { gatewayRoutes } from '../../routes/routes.js';
import type { RestRequest } from '../rest-calls.js';

/** Characters of a name that is told back. */
export const MAX_SHOWN_LENGTH = 100;

/** A tool of the protocol, and the request to the interface that a call of it is. */
export interface McpTool {
  readonly definition: Tool;
  readonly route: GatewayRoute;
  /** The part of an answer that is the structured content: all of it, or `data` of the envelope. */
  readonly answer: 'bare' | 'envelope';
  /** The service refuses what it does not know. Where absent, it would leave that out, and the endpoint refuses it. */
  readonly refusesUnknown?: true;
  /** Fails, with a sentence for a model, for arguments that no request can hold; what else they must be is for the service to say. */
  toRequest(given: Readonly<Record<string, unknown>>, idempotencyKey?: string): Result<RestRequest, string>;
}

/** The route of the interface. Throws where there is none. */
export function routeOf(method: RestRequest['method'], path: string): GatewayRoute {
  const route = gatewayRoutes.find((one) => one.method === method && one.path === `${API_PREFIX}${path}`);
  if (route === undefined) throw new Error(`there is no route ${method} ${path}`);
  return route;
}

/** A tool whose arguments are the body of a request. */
export function bodyTool(path: string, definition: Tool): McpTool {
  const route = routeOf('POST', path);
  return { definition, route, answer: 'bare', toRequest: (body) => ok({ method: 'POST', url: route.path, body }) };
}

/** A sentence for a model about an argument that the tool does not take: what is misspelt is not to be left out. */
export function unknownArgument(tool: McpTool, given: Readonly<Record<string, unknown>>): string | undefined {
  const { name, inputSchema } = tool.definition;
  if (tool.refusesUnknown === true) return undefined;
  const known = Object.keys(inputSchema.properties ?? {});
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown === undefined) return undefined;
  const shown = JSON.stringify(unknown.slice(0, MAX_SHOWN_LENGTH));
  return `There is no argument ${shown}, and nothing was done. ${name} takes ${known.join(', ')}.`;
}

/** A schema of arguments: these members and no others. */
export const argumentsSchema = (properties: JsonObject, required: string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties: { ...properties },
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** A schema of a result, which later versions may add members to. */
export const resultSchema = (properties: JsonObject, required: string[]): NonNullable<Tool['outputSchema']> => ({
  type: 'object',
  properties: { ...properties },
  required,
});

/** Shorthands for the members of schemas. */
export const text = (description: string, more: JsonObject = {}): JsonValue => ({
  type: 'string',
  description,
  ...more,
});
export const oneOf = (description: string, values: readonly string[]): JsonValue => ({
  type: 'string',
  enum: [...values],
  description,
});
export const integer = (description: string, more: JsonObject = {}): JsonValue => ({
  type: 'integer',
  description,
  ...more,
});
export const number = (description: string, more: JsonObject = {}): JsonValue => ({
  type: 'number',
  description,
  ...more,
});
export const flag = (description: string): JsonValue => ({ type: 'boolean', description });
export const texts = (description: string, more: JsonObject = {}): JsonValue => ({
  type: 'array',
  items: { type: 'string' },
  description,
  ...more,
});
export const object = (description: string): JsonValue => ({ type: 'object', description });
export const objects = (description: string): JsonValue => ({ type: 'array', items: { type: 'object' }, description });

/** Members that several requests have. */
export const searchId = text('search_id of the discover that returned the tool.');
export const sessionId = text('One id for everything of the same user task; for tracking and budgets.');
export const remainingCredits = number('Credits that can still be spent, when known.');
export const toolId = text('Tool id, exactly as discover returned it.');
