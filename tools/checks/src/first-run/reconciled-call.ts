import { setTimeout as sleep } from 'node:timers/promises';

/** `data/demo.json`, as `npm start` writes it. */
export interface DemoFile {
  readonly base_url: string;
  readonly api_key: string;
}

const TOOL_ID = 'formula.expression.evaluate.v1';
const NEED = 'evaluate a math expression';
const PRICE_CREDITS = 0.5;
const SETTLED_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

type Json = Readonly<Record<string, unknown>>;

/** The calls that the README shows: find a tool, call it, and read the charge in the audit and in the ledger. */
export async function reconciledCall(demo: DemoFile): Promise<void> {
  const found = await request(demo, '/search', { query: NEED, limit: 1 });
  const tool = (found['results'] as readonly Json[])[0]?.['tool_id'];
  if (tool !== TOOL_ID) throw new Error(`the search found ${String(tool)}`);
  const called = await request(demo, `/tools/execute?tool_id=${TOOL_ID}`, {
    parameters: { expression: '2 * (3 + 4)^2' },
  });
  const value = ((called['result'] as Json | undefined)?.['data'] as Json | undefined)?.['value'];
  if (called['success'] !== true || value !== 98) throw new Error(`the call was answered ${JSON.stringify(called)}`);
  const executionId = String(called['execution_id']);
  const event = await settled(demo, executionId);
  const entryId = String(event['credits_ledger_entry_id']);
  const entry = (await request(demo, `/auth/credits/ledger/${entryId}`))['data'] as Json;
  const facts = { charged: event['charge_outcome'], amount: entry['amount_credits'], execution: entry['execution_id'] };
  const expected = { charged: 'charged', amount: -PRICE_CREDITS, execution: executionId };
  if (JSON.stringify(facts) !== JSON.stringify(expected)) throw new Error(`the books say ${JSON.stringify(facts)}`);
}

/** The query that the README shows beside the call: a capability instead of a tool, within a budget, with the reason of the choice. */
export async function capabilityQuery(demo: DemoFile): Promise<void> {
  const answer = await request(demo, '/capabilities/query', {
    capability_id: 'geo.distance',
    parameters: { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 },
    max_credits: 1,
  });
  const { chosen, excluded } = answer['routing'] as { chosen: unknown; excluded: readonly Json[] };
  const facts = {
    success: answer['success'],
    chosen,
    cost: answer['cost'],
    excluded: excluded.map(({ reason }) => reason),
  };
  const expected = { success: true, chosen: 'toolbox.distance.haversine.v1', cost: 0.5, excluded: ['over_budget'] };
  if (JSON.stringify(facts) !== JSON.stringify(expected)) throw new Error(`the query said ${JSON.stringify(facts)}`);
}

/** The usage event of the execution, once it is settled: that comes a moment after the answer. */
async function settled(demo: DemoFile, executionId: string): Promise<Json> {
  const deadline = performance.now() + SETTLED_TIMEOUT_MS;
  for (;;) {
    const page = await request(demo, `/auth/usage/history/v2?execution_id=${executionId}`);
    const event = (page['data'] as { items: readonly Json[] }).items[0];
    if (event?.['billing_snapshot_status'] === 'settled') return event;
    if (performance.now() > deadline) throw new Error(`${executionId} was not settled: ${JSON.stringify(page)}`);
    await sleep(POLL_MS);
  }
}

/** POST where there is a body, else GET; throws on anything but a 200. */
async function request(demo: DemoFile, path: string, body?: Json): Promise<Json> {
  const answer = await fetch(`${demo.base_url}${path}`, {
    headers: { authorization: `Bearer ${demo.api_key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Json;
}
