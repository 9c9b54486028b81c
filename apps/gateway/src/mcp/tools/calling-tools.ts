import { publicHeaders } from '@capability-router/contracts';
import { ok, type JsonObject } from '@capability-router/kernel';
import {
  argumentsSchema,
  integer,
  number,
  object,
  oneOf,
  remainingCredits,
  resultSchema,
  routeOf,
  searchId,
  sessionId,
  text,
  toolId,
  texts,
  flag,
  type McpTool,
} from './mcp-tool.js';

/** Whatever it runs may change anything anywhere, and it spends credits. */
const runsAnything = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;
/** A text that a header of one word can hold. */
const oneWord = /^[\x21-\x7e]{1,100}$/;

export const callRoute = routeOf('POST', '/tools/execute');

/** Members that every run of a tool tells. */
const outcome: JsonObject = {
  execution_id: text('Id of this call, for usage_history.'),
  success: flag('Whether the tool served; usage_history tells what was charged.'),
  result: object('data; or, where it is too large, truncated_content and full_content_file_url.'),
  error_message: { type: ['string', 'null'], description: 'Why success is false, and what to do.' },
  execution_outcome: object('outcome, reason_code, billable_success, result_valid, …'),
  billing: object('The bill before settlement: summary, list_amount_credits.'),
  cost: { type: ['number', 'null'], description: 'Credits, before settlement.' },
  elapsed_time_ms: number('Milliseconds.'),
  execution_time: number('Seconds.'),
  remaining_credits: remainingCredits,
};

export const idempotencyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { [publicHeaders.idempotencyKey]: key };

export const call: McpTool = {
  definition: {
    name: 'call',
    title: 'Run a tool',
    description:
      'Runs one tool that discover returned, with parameters of its own schema, and charges by its price if the result is worth it. ' +
      'Large results are cut, with a link to the whole. A call that was sent is not undone by cancelling.',
    inputSchema: argumentsSchema(
      {
        tool_id: toolId,
        parameters: object("Parameters by the tool's own schema, never those of another tool."),
        search_id: searchId,
        session_id: sessionId,
        max_credits: number('Most that it may cost; a call that could cost more is refused.', { exclusiveMinimum: 0 }),
        model: text('The model that chose the tool.'),
        max_response_size: integer('Bytes of result.data beyond which it is cut; -1: never.', {
          minimum: -1,
          default: 20_480,
        }),
        respond_with: text('full, summary, or fields:<JSONPath,…> rooted at result.data.', { default: 'full' }),
        cache_mode: oneOf("bypass: not from the provider's cache.", ['default', 'bypass']),
      },
      ['tool_id', 'parameters'],
    ),
    outputSchema: resultSchema(outcome, ['execution_id', 'success']),
    annotations: { title: 'Run a tool', ...runsAnything },
  },
  route: callRoute,
  answer: 'bare',
  toRequest: ({ cache_mode: cacheMode, ...body }, idempotencyKey) =>
    ok({
      method: 'POST',
      url: callRoute.path,
      body,
      headers: {
        ...idempotencyHeader(idempotencyKey),
        // A text that no header can hold is told by the interface as any other that it does not know.
        ...(cacheMode === undefined
          ? {}
          : {
              [publicHeaders.cacheMode]:
                typeof cacheMode === 'string' && oneWord.test(cacheMode) ? cacheMode : 'unknown',
            }),
      },
    }),
};

const queryRoute = routeOf('POST', '/capabilities/query');

export const queryCapability: McpTool = {
  definition: {
    name: 'query_capability',
    title: 'Have a capability served',
    description:
      'Serves a capability by whichever tool fits the budget best, tries the next one where it fails, and charges only the one that serves. ' +
      'Name the capability by capability_id or in words by query.',
    inputSchema: argumentsSchema({
      capability_id: text('Id of the capability; this or query.'),
      query: text('The capability in words; this or capability_id.'),
      parameters: object('Parameters of the capability.'),
      max_credits: number('Most that it may cost; tools that could cost more are left out.', { exclusiveMinimum: 0 }),
      prefer: oneOf('What to prefer among tools that fit.', ['price', 'speed', 'quality']),
      provider_id: text('Only this provider.'),
      provider_ids: texts('Only these providers.', { minItems: 1, maxItems: 100 }),
      max_response_size: integer('Bytes of result.data beyond which it is cut; -1: never.', { minimum: -1 }),
      search_id: searchId,
      session_id: sessionId,
      run_id: text('Run that a delegation token is bound to.'),
    }),
    outputSchema: resultSchema(
      {
        ...outcome,
        capability_id: text('The capability that was served.'),
        result: object('status_code and data; or, where it is too large, truncated_content and full_content_file_url.'),
        contract_version: integer('Version of the contract that was used.'),
        schema_hash: text('Hash of that contract.'),
        credits_used: number('Credits, before settlement.'),
        routing: object('Candidates, exclusions and attempts, each with its reason.'),
      },
      ['success'],
    ),
    annotations: { title: 'Have a capability served', ...runsAnything },
  },
  route: queryRoute,
  refusesUnknown: true,
  answer: 'bare',
  toRequest: (body, idempotencyKey) =>
    ok({ method: 'POST', url: queryRoute.path, body, headers: idempotencyHeader(idempotencyKey) }),
};
