import { chargeOutcomes } from '@capability-router/contracts';
import { fail, ok, type JsonObject } from '@capability-router/kernel';
import type { Tool } from '@modelcontextprotocol/server';
import {
  argumentsSchema,
  flag,
  integer,
  number,
  objects,
  oneOf,
  resultSchema,
  routeOf,
  text,
  type McpTool,
} from './mcp-tool.js';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Members that both lists can be asked by. */
const window: JsonObject = {
  start_date: text('YYYY-MM-DD or ISO 8601.'),
  end_date: text('YYYY-MM-DD, to the end of that day, or ISO 8601.'),
  min_credits: number('Least credits.', { minimum: 0 }),
  max_credits: number('Most credits.', { minimum: 0 }),
  page: integer('Page.', { minimum: 1, default: 1 }),
  limit: integer('Rows of a page, or samples of a summary.', { minimum: 1, maximum: 50, default: 10 }),
  summary: flag('Sums and samples; without dates of the last 24 hours.'),
  bucket: oneOf('Granularity of the summary.', ['hour', 'day', 'week']),
};

const list = (items: string): NonNullable<Tool['outputSchema']> =>
  resultSchema(
    {
      items: objects(items),
      total: integer('Rows that the filter matches.'),
      page: integer('Page.'),
      page_size: integer('Rows returned.'),
      summary: { type: ['object', 'null'], description: 'Sums, where they were asked for.' },
    },
    ['items', 'total', 'page', 'page_size'],
  );

/** Rows that a model is given at once where it names no number. */
const DEFAULT_LIMIT = 10;

const isOneValue = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A tool whose arguments are the query of a request. */
function queryTool(path: string, definition: Tool): McpTool {
  const route = routeOf('GET', path);
  return {
    definition,
    route,
    answer: 'envelope',
    toRequest: (given) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries<unknown>({ limit: DEFAULT_LIMIT, ...given })) {
        // Null counts as absent, as in bodies.
        if (value === undefined || value === null) continue;
        if (!isOneValue(value)) return fail(`Send ${name} as one value, not as a list or an object.`);
        query.append(name, String(value));
      }
      return ok({ method: 'GET', url: `${route.path}?${query.toString()}` });
    },
  };
}

export const usageHistory: McpTool = queryTool('/auth/usage/history/v2', {
  name: 'usage_history',
  title: 'Usage audit',
  description:
    'What became of each search and call of the account, newest first: outcome, reason and final charge. Ask by execution_id to reconcile one call; the row is final when billing_snapshot_status is not pending.',
  inputSchema: argumentsSchema({
    execution_id: text('One call.'),
    search_id: text('One search and its calls.'),
    ...window,
    event_type: oneOf('Exact type.', ['search', 'search_by_ids', 'tool_execute', 'capabilities_query', 'model_call']),
    kind: oneOf('Group of types.', ['discover', 'call', 'model']),
    success: flag('Recorded success.'),
    charge_outcome: oneOf('Final charge.', chargeOutcomes),
    reason_code: text('Reason, e.g. provider.http_error.'),
    anomaly: oneOf('Rows that somebody should look at.', [
      'failed_charged_review',
      'missing_ledger_link',
      'missing_billing_snapshot',
    ]),
    include_details: flag('Also payloads and snapshots.'),
  }),
  outputSchema: list(
    'id, event_type, execution_id, charge_outcome, reason_code, settled_amount_credits, credits_ledger_entry_id, …',
  ),
  annotations: { title: 'Usage audit', ...reads },
});

export const creditsLedger: McpTool = queryTool('/auth/credits/ledger', {
  name: 'credits_ledger',
  title: 'Credits ledger',
  description:
    'The immutable movements of the balance, newest first: what was granted and what was charged, with the balance before and after.',
  inputSchema: argumentsSchema({
    ...window,
    entry_type: text('Exact type, e.g. consume_tool_execute.'),
    scope: oneOf('Group of types.', ['account_history', 'all']),
    direction: oneOf('consume: negative. grant: positive.', ['consume', 'grant', 'any']),
  }),
  outputSchema: list('id, entry_type, amount_credits, balance_before, balance_after, execution_id, created_at, …'),
  annotations: { title: 'Credits ledger', ...reads },
});
