import {
  isJsonObject,
  MAX_ABSOLUTE_CREDITS,
  MAX_TOOL_ID_LENGTH,
  toolIdPattern,
  type JsonObject,
} from '@capability-router/kernel';
import { sessionIdSchema } from '@capability-router/service-kit';
import { MAX_PROJECTION_LENGTH } from '../../result-shaping/projection.js';
import { callDefaults } from './domain/call.js';

/** Characters. */
export const MAX_CONTEXT_ID_LENGTH = 200;

const contextId: JsonObject = { type: ['string', 'null'], maxLength: MAX_CONTEXT_ID_LENGTH };

/** The body of a Call as it is described; it is judged member by member, and a fault tells what stands here. */
export const callSchema = {
  type: 'object',
  required: ['parameters'],
  properties: {
    tool_id: { type: ['string', 'null'], description: 'The tool, where the query does not name it.' },
    parameters: { type: 'object', description: "The tool's parameters; `{}` where it needs none." },
    search_id: contextId,
    session_id: { ...sessionIdSchema, type: [...sessionIdSchema.type] },
    model: contextId,
    max_response_size: {
      type: 'integer',
      anyOf: [{ const: -1 }, { minimum: 1 }],
      default: callDefaults.max_response_size,
      description: 'Bytes of the result that are answered; -1 for all of them.',
    },
    respond_with: {
      type: 'string',
      maxLength: MAX_PROJECTION_LENGTH,
      pattern: '^(full|summary|fields:[\\s\\S]+)$',
      default: callDefaults.respond_with,
      description: '`full`, `summary`, or `fields:` with paths of RFC 9535 of what shall be answered.',
    },
    max_credits: {
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      maximum: Number(MAX_ABSOLUTE_CREDITS),
      description: 'Credits, with at most six decimals: a call that would cost more is refused.',
    },
  },
} as const satisfies JsonObject;

export const cacheModeSchema: JsonObject = {
  type: 'string',
  enum: ['default', 'bypass'],
  default: callDefaults.cacheMode,
};

/** An empty `tool_id` counts as absent, so that the form of the member says less than what a tool is called. */
const toolIdRule: JsonObject = { type: 'string', maxLength: MAX_TOOL_ID_LENGTH, pattern: toolIdPattern.source };
const schemas: Readonly<Record<string, JsonObject>> = {
  ...callSchema.properties,
  tool_id: toolIdRule,
  'X-Service-Cache-Mode': cacheModeSchema,
};

/** Tells what would be let through at this place of a request; nothing of a place that is not known. */
export function allowedAt(loc: readonly (string | number)[]): { readonly allowed?: JsonObject } {
  const [, name] = loc;
  const schema = name === undefined ? { type: 'object' } : schemas[String(name)];
  if (!isJsonObject(schema)) return {};
  const { description: _said, default: _given, ...allowed } = schema;
  return { allowed };
}
