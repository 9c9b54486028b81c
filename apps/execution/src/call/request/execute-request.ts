import {
  creditsFromNumber,
  isJsonObject,
  isToolId,
  MAX_ABSOLUTE_CREDITS,
  MAX_TOOL_ID_LENGTH,
  receivedOf,
  type Credits,
  type JsonObject,
} from '@capability-router/kernel';
import type { ValidationDetail } from '@capability-router/contracts';
import { parseProjection, type Projection } from '../../result-shaping/projection.js';
import { isSessionId } from '@capability-router/service-kit';
import { previewInput } from '@capability-router/tool-calls';
import { allowedAt, MAX_CONTEXT_ID_LENGTH } from './call-schema.js';
import { withoutUndefined } from './domain/without-undefined.js';
import { callDefaults, type PartialRequest, type RawExecuteRequest } from './domain/call.js';

/** A Call whose shape is right; whether the tool exists and takes these parameters is another question. */
export interface ExecuteRequest {
  readonly toolId: string;
  readonly parameters: JsonObject;
  readonly searchId?: string;
  readonly sessionId?: string;
  readonly model?: string;
  /** Bytes; `undefined` = no truncation. */
  readonly maxResponseBytes: number | undefined;
  readonly projection: Projection;
  readonly cacheMode: 'default' | 'bypass';
  /** The call may cost no more than this. */
  readonly maxCredits?: Credits;
}

export interface ParsedRequest {
  readonly partial: PartialRequest;
  /** Empty if `request` is there. */
  readonly details: readonly ValidationDetail[];
  readonly request?: ExecuteRequest;
}

/** Unknown extra fields are ignored: clients of this API send them. */
export function parseExecuteRequest(raw: RawExecuteRequest): ParsedRequest {
  const details: ValidationDetail[] = [];
  const reject = (type: string, loc: readonly (string | number)[], msg: string, input?: unknown): undefined => {
    const shown = previewInput(input);
    const received = shown === undefined ? receivedOf(loc.at(-1), input) : undefined;
    const sent = { ...(shown === undefined ? {} : { input: shown }), ...(received === undefined ? {} : { received }) };
    details.push({ type, loc, msg, ...sent, ...allowedAt(loc) });
    return undefined;
  };

  const cacheMode = raw.cacheMode ?? callDefaults.cacheMode;
  if (cacheMode !== 'default' && cacheMode !== 'bypass') {
    reject('enum', ['header', 'X-Service-Cache-Mode'], "Input should be 'default' or 'bypass'", cacheMode);
  }
  if (!isJsonObject(raw.body)) {
    reject('dict_type', ['body'], 'The body must be a JSON object with tool_id and parameters', raw.body ?? null);
  }
  const body: JsonObject = isJsonObject(raw.body) ? raw.body : {};

  const contextText = (name: string): string | undefined => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') return reject('string_type', ['body', name], 'Input should be a string', value);
    if ([...value.slice(0, 2 * MAX_CONTEXT_ID_LENGTH + 1)].length > MAX_CONTEXT_ID_LENGTH) {
      return reject('too_long', ['body', name], `Use at most ${MAX_CONTEXT_ID_LENGTH} characters`, value);
    }
    if (name === 'session_id' && !isSessionId(value)) {
      const msg = 'Use one line without control characters and halves of a character';
      return reject('string_pattern_mismatch', ['body', name], msg, value);
    }
    return value;
  };
  const toolId = readToolId(raw.queryToolIds, body, reject);
  const partial = withoutUndefined({
    toolId,
    searchId: contextText('search_id'),
    sessionId: contextText('session_id'),
    model: contextText('model'),
  });
  const parameters = readParameters(body, reject);
  const maxResponseBytes = readMaxResponseSize(body, reject);
  const projection = readProjection(body, reject);
  const maxCredits = readMaxCredits(body, reject);
  if (details.length > 0 || toolId === undefined || parameters === undefined || projection === undefined) {
    return { partial, details };
  }
  if (cacheMode !== 'default' && cacheMode !== 'bypass') return { partial, details };
  const accepted: ExecuteRequest = { ...partial, toolId, parameters, maxResponseBytes, projection, cacheMode };
  return { partial, details, request: maxCredits === undefined ? accepted : { ...accepted, maxCredits } };
}

type Reject = (type: string, loc: readonly (string | number)[], msg: string, input?: unknown) => undefined;

function readToolId(fromQuery: readonly string[], body: JsonObject, reject: Reject): string | undefined {
  const inBody = body['tool_id'];
  if (inBody !== undefined && inBody !== null && typeof inBody !== 'string') {
    return reject('string_type', ['body', 'tool_id'], 'Input should be a string', inBody);
  }
  const given = new Set([...fromQuery, ...(typeof inBody === 'string' ? [inBody] : [])].filter((id) => id !== ''));
  if (given.size > 1) {
    return reject('value_error', ['query', 'tool_id'], 'The query and the body name different tools; name one', [
      ...given,
    ]);
  }
  const [toolId] = given;
  if (toolId === undefined)
    return reject('missing', ['body', 'tool_id'], 'tool_id is required, as query or in the body');
  if (!isToolId(toolId)) {
    reject(
      toolId.length > MAX_TOOL_ID_LENGTH ? 'too_long' : 'value_error',
      toolIdLoc(toolId, fromQuery),
      'This is not a tool_id. Search again with POST /search and use a tool_id exactly as returned',
      toolId,
    );
  }
  return toolId;
}

/** The place at which the caller named the tool. */
export const toolIdLoc = (toolId: string, fromQuery: readonly string[]): readonly string[] => [
  fromQuery.includes(toolId) ? 'query' : 'body',
  'tool_id',
];

function readParameters(body: JsonObject, reject: Reject): JsonObject | undefined {
  const value = body['parameters'];
  if (value === undefined) {
    return reject('missing', ['body', 'parameters'], 'parameters is required; send {} where the tool needs none');
  }
  if (!isJsonObject(value)) return reject('dict_type', ['body', 'parameters'], 'Input should be an object', value);
  return value;
}

function readMaxResponseSize(body: JsonObject, reject: Reject): number | undefined {
  const value = body['max_response_size'];
  if (value === undefined) return callDefaults.max_response_size;
  if (value === -1) return undefined;
  const loc = ['body', 'max_response_size'];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return reject('int_type', loc, 'Input should be -1 or a positive integer of bytes', value);
  }
  return value > 0 ? value : reject('greater_than', loc, 'Input should be -1 or a positive integer of bytes', value);
}

/** Null is no limit, as it is no session. */
function readMaxCredits(body: JsonObject, reject: Reject): Credits | undefined {
  const value = body['max_credits'];
  if (value === undefined || value === null) return undefined;
  const loc = ['body', 'max_credits'];
  const msg = `Input should be a number of credits above 0, at most ${MAX_ABSOLUTE_CREDITS}, with at most six decimals`;
  if (typeof value !== 'number') return reject('float_type', loc, msg, value);
  if (value <= 0) return reject('greater_than', loc, msg, value);
  if (value > Number(MAX_ABSOLUTE_CREDITS)) return reject('less_than_equal', loc, msg, value);
  try {
    const amount = creditsFromNumber(value);
    // Far below a micro-credit, a number rounds to nothing.
    if (amount > 0n) return amount;
  } catch {
    // A number with too many decimals is rejected below.
  }
  return reject('decimal_max_places', loc, msg, value);
}

function readProjection(body: JsonObject, reject: Reject): Projection | undefined {
  const value = body['respond_with'] === undefined ? callDefaults.respond_with : body['respond_with'];
  const loc = ['body', 'respond_with'];
  if (typeof value !== 'string') return reject('string_type', loc, 'Input should be a string', value);
  const parsed = parseProjection(value);
  return parsed.ok ? parsed.value : reject('value_error', loc, parsed.error, value);
}
