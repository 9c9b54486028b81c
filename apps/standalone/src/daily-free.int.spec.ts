import { afterAll, describe, expect, it } from '@jest/globals';
import type { Demo } from './demo.js';
import { pause, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

/** Credits per account and day; more than what is called here costs. */
const DAILY_FREE = 1_000;
const SEARCH_PRICE = 0.25;
/** Milliseconds. */
const SETTLE_TIMEOUT_MS = 60_000;
/** Milliseconds, from the first look at the allowance to the last; it is renewed at midnight UTC. */
const WITHIN_ONE_DAY_MS = 60_000;
const DAY_MS = 86_400_000;

type Row = Readonly<Record<string, unknown>>;

async function post(demo: Demo, path: string, body: object): Promise<Row> {
  const answer = await fetch(`${demo.base_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Row;
}

const itemsOf = async (demo: Demo, path: string): Promise<Row[]> => (await read(demo, path))['items'] as Row[];

describe('standalone with a daily free allowance', () => {
  const standalone = new StandaloneProcess();
  afterAll(() => standalone.remove());

  it(
    'takes calls and billed searches from it: nothing is charged, the audit says why, and the ledger has no entry',
    async () => {
      const demo = await standalone.start({
        DAILY_FREE_CREDITS: String(DAILY_FREE),
        SEARCH_PRICE_CREDITS: String(SEARCH_PRICE),
      });
      const untilMidnightMs = DAY_MS - (Date.now() % DAY_MS);
      if (untilMidnightMs < WITHIN_ONE_DAY_MS) await pause(untilMidnightMs + 1_000);
      const before = await read(demo, '/auth/credits');
      expect(before['daily_free']).toEqual({ remaining: DAILY_FREE, total: DAILY_FREE });
      const call = await post(demo, '/tools/execute', {
        tool_id: 'almanac.holiday.list.v1',
        parameters: { country_code: 'DE', year: 2026 },
      });
      const billing = call['billing'] as Row;
      const list = billing['list_amount_credits'] as number;
      expect(list).toBeGreaterThan(0);
      expect(call).toMatchObject({ success: true, cost: 0, remaining_credits: before['remaining_credits'] });
      expect(billing['final_amount_credits']).toBe(0);
      const found = await post(demo, '/search', { query: 'public holidays of a country', limit: 3 });
      expect(found['remaining_credits']).toBe(before['remaining_credits']);

      const rows = await settledRows(demo, 2);
      for (const row of rows) {
        expect(row).toMatchObject({
          charge_outcome: 'included',
          billing_snapshot_status: 'not_applicable',
          settled_amount_credits: 0,
          credits_ledger_entry_id: null,
        });
      }
      const covered = rows.map((row) => (row['settlement_result'] as Row)['covered_by_daily_free_credits']);
      expect(new Set(covered)).toEqual(new Set([list, SEARCH_PRICE]));
      const after = await read(demo, '/auth/credits');
      expect(after['remaining_credits']).toBe(before['remaining_credits']);
      expect((after['daily_free'] as Row)['remaining']).toBeCloseTo(DAILY_FREE - list - SEARCH_PRICE, 6);
      const types = (await itemsOf(demo, '/auth/credits/ledger')).map((entry) => entry['entry_type']);
      expect(types).toEqual(['grant_welcome_bonus']);
    },
    START_TIMEOUT_MS + WITHIN_ONE_DAY_MS + SETTLE_TIMEOUT_MS + 10_000,
  );

  /** The audit, once everything in it is settled. */
  async function settledRows(demo: Demo, count: number): Promise<Row[]> {
    const deadline = Date.now() + SETTLE_TIMEOUT_MS;
    for (;;) {
      const rows = await itemsOf(demo, '/auth/usage/history/v2');
      const settled = rows.filter((row) => row['settlement_result'] !== null);
      if (settled.length === count || Date.now() > deadline) return settled;
      await pause(100);
    }
  }
});
