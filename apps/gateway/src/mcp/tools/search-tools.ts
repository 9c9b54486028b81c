import {
  argumentsSchema,
  bodyTool,
  integer,
  number,
  object,
  objects,
  oneOf,
  remainingCredits,
  resultSchema,
  searchId,
  sessionId,
  text,
  toolId,
  texts,
  flag,
  type McpTool,
} from './mcp-tool.js';

/** It reads what this deployment has, changes nothing of the world, and costs nothing. */
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const discover: McpTool = bodyTool('/search', {
  name: 'discover',
  title: 'Find tools',
  description:
    'Finds tools by a description of the capability that is needed, best first, with prices and evidence. It returns tools, never answers or data; run one with call.',
  inputSchema: argumentsSchema(
    {
      query: text('The capability in words, e.g. "convert currencies at a past date"; or a full tool id.', {
        minLength: 1,
      }),
      limit: integer('Most tools to return.', { minimum: 1, maximum: 100, default: 20 }),
      session_id: sessionId,
      view: oneOf('routing: slim cards, for few tokens. full: everything.', ['full', 'routing']),
      lang: oneOf('Language of names and descriptions.', ['en', 'zh']),
    },
    ['query'],
  ),
  outputSchema: resultSchema(
    {
      query: text('The query.'),
      search_id: text('Id of this search, for inspect and call.'),
      total: integer('Number of tools returned.'),
      results: objects(
        'The tools, best first: tool_id, name, description, params, expected_cost, billing_rule, stats, …',
      ),
      elapsed_time_ms: number('Milliseconds.'),
      remaining_credits: remainingCredits,
      notice: text('Where no tool fits: the nearest categories, or how to ask.'),
      error_message: { type: ['string', 'null'], description: 'Why the search failed.' },
    },
    ['query', 'search_id', 'total', 'results'],
  ),
  annotations: { title: 'Find tools', ...reads },
});

export const inspect: McpTool = bodyTool('/tools/by-ids', {
  name: 'inspect',
  title: 'Read tools in full',
  description:
    'Gives the parameters with their bounds, examples, price and quality of tools that discover returned. Read a tool before its first call.',
  inputSchema: argumentsSchema(
    {
      tool_ids: texts('Tool ids, exactly as discover returned them.', { minItems: 1, maxItems: 100 }),
      search_id: searchId,
      session_id: sessionId,
      view: oneOf('lean: only what it takes to call the tool. full: everything.', ['full', 'lean']),
    },
    ['tool_ids'],
  ),
  outputSchema: resultSchema(
    {
      search_id: searchId,
      total: integer('Number of tools returned.'),
      results: objects(
        'The tools: tool_id, params, one_of_required, examples, billing_rule, stats, verification_status, …',
      ),
      elapsed_time_ms: number('Milliseconds.'),
      remaining_credits: remainingCredits,
      error_message: { type: ['string', 'null'], description: 'Ids that are not known.' },
    },
    ['total', 'results'],
  ),
  annotations: { title: 'Read tools in full', ...reads },
});

export const probe: McpTool = bodyTool('/tools/probe', {
  name: 'probe',
  title: 'Check a call before it is made',
  description:
    'Checks parameters against the tool and says what a call would cost, without running anything and without a charge. recovery says what to do next.',
  inputSchema: argumentsSchema(
    {
      tool_id: toolId,
      parameters: object('The parameters of the call that is meant.'),
      checks: texts('What to check; schema where it is left out.', {
        items: { type: 'string', enum: ['schema', 'quote', 'coverage', 'sample'] },
        minItems: 1,
        maxItems: 16,
      }),
      live_budget: oneOf('What may be asked of the provider.', ['none', 'metadata', 'sampled']),
    },
    ['tool_id'],
  ),
  outputSchema: resultSchema(
    {
      schema: object('valid, and violations[]{param, type, message}.'),
      quote: object('estimate_credits, exact, currency, basis, detail.'),
      coverage: object('verdict and reason.'),
      sample: object('verdict and reason.'),
      recovery: {
        type: 'object',
        description: 'What to do next.',
        properties: {
          missing_fields: texts('Parameters that are missing.'),
          safe_fixes: texts('Changes that make the call valid.'),
          retryable: flag('The same call may succeed later.'),
          next_action: text('execute, inspect, probe, authorize, confirm_budget, switch_provider or retry.'),
          provider_fallback: flag('Another tool of the same capability could serve.'),
        },
      },
      execution_restrictions: object('Whether and where the tool may be called.'),
    },
    ['recovery'],
  ),
  annotations: { title: 'Check a call before it is made', ...reads },
});
