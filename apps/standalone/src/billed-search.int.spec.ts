import { afterAll, describe, expect, it } from '@jest/globals';
import type { Demo } from './demo.js';
import { pause, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

const PRICE_CREDITS = 0.25;
const CREDITS = 1_000;
/** Searches that are answered before the one that is killed after its hold. */
const ANSWERED = 6;
/** Milliseconds. */
const SETTLE_TIMEOUT_MS = 60_000;
/** A deployment that bills searches, and asks soon how what it holds for ended. */
const billed = {
  SEARCH_PRICE_CREDITS: String(PRICE_CREDITS),
  HOLD_INQUIRY_AGE_MS: '1000',
  HOLD_SWEEP_INTERVAL_MS: '200',
};
const standalone = new StandaloneProcess();
/** It was killed once by then: each start takes seconds, and no test after it needs another. */
let running: Demo;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

type Row = Readonly<Record<string, unknown>>;

async function search(demo: Demo, query: string, sessionId = 'a session'): Promise<Answer> {
  const answer = await fetch(`${demo.base_url}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, limit: 3, session_id: sessionId }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const asAdmin = (demo: Demo, body: object): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${demo.admin_key}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const dataOf = async (answer: Response): Promise<Row> => ((await answer.json()) as { data: Row }).data;

/** The key of a new account; it has `credits` as soon as they have arrived. */
async function openAccount(demo: Demo, credits: number, ofKey: object): Promise<Demo> {
  const accounts = `${new URL(demo.base_url).origin}/admin/v1/accounts`;
  const opened = await fetch(accounts, asAdmin(demo, { kind: 'formal', name: 'x', initial_credits: credits }));
  const { account_id: id } = await dataOf(opened);
  const issued = await fetch(`${accounts}/${String(id)}/api-keys`, asAdmin(demo, { name: 'y', ...ofKey }));
  const own = { ...demo, api_key: String((await dataOf(issued))['api_key']) };
  await settledAt(own, credits);
  return own;
}

/** Waits until nothing is held any more, and what is left is what it should be. */
async function settledAt(demo: Demo, credits: number): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const account = await read(demo, '/auth/credits');
    const state = { held: account['held_credits'], remaining: account['remaining_credits'] };
    if (state.held === 0 && state.remaining === credits) return;
    if (Date.now() > deadline) expect(state).toEqual({ held: 0, remaining: credits });
    await pause(100);
  }
}

/** As soon as the audit, which reads for itself, has all of them and their settlements. */
async function auditedSearches(demo: Demo, count: number): Promise<Row[]> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const rows = await rowsOf(demo, '/auth/usage/history/v2?event_type=search');
    const isPending = (row: Row): boolean => row['billing_snapshot_status'] === 'pending';
    if ((rows.length >= count && !rows.some(isPending)) || Date.now() > deadline) return rows;
    await pause(100);
  }
}

const rowsOf = async (demo: Demo, path: string): Promise<Row[]> => (await read(demo, path))['items'] as Row[];

describe('standalone that bills searches', () => {
  afterAll(() => standalone.remove());

  it(
    'charges each answered search once, shows it in audit and ledger, and gives back what one held that was killed',
    async () => {
      const dying = {
        FAULTS_ENABLED: 'true',
        FAULT_POINT: 'after-search-hold',
        FAULT_AFTER_CALLS: String(ANSWERED + 1),
      };
      const demo = await standalone.start({ ...billed, ...dying });
      const answered: string[] = [];
      for (let turn = 1; turn <= ANSWERED; turn += 1) {
        const { status, body } = await search(demo, 'convert currency');
        expect([status, body['remaining_credits']]).toEqual([200, CREDITS - turn * PRICE_CREDITS]);
        answered.push(String(body['search_id']));
      }
      const nothing = await search(demo, 'qqxzvw');
      expect([nothing.status, nothing.body['total'], nothing.body['remaining_credits']]).toEqual([
        200,
        0,
        CREDITS - ANSWERED * PRICE_CREDITS,
      ]);
      await expect(search(demo, 'convert currency')).rejects.toThrow();
      await standalone.ended();

      const again = await standalone.start(billed);
      running = again;
      const left = CREDITS - ANSWERED * PRICE_CREDITS;
      await settledAt(again, left);
      const entries = await rowsOf(again, '/auth/credits/ledger?direction=consume&scope=account_history');
      expect(entries.map((entry) => entry['source_ref_id']).sort()).toEqual([...answered].sort());
      for (const entry of entries) {
        expect(entry).toMatchObject({
          entry_type: 'consume_tool_search',
          amount_credits: -PRICE_CREDITS,
          source_system: 'registry',
          source_ref_type: 'search',
          execution_id: null,
        });
      }
      const usage = await auditedSearches(again, ANSWERED + 1);
      const charged = usage.filter((row) => row['charge_outcome'] === 'charged');
      expect(charged.map((row) => row['search_id']).sort()).toEqual([...answered].sort());
      for (const row of charged) {
        expect(row).toMatchObject({ billing_snapshot_status: 'settled', settled_amount_credits: PRICE_CREDITS });
        expect(entries.map((entry) => entry['id'])).toContain(row['credits_ledger_entry_id']);
      }
      // The empty one; the one that was killed has no row.
      const free = usage.filter((row) => row['charge_outcome'] !== 'charged');
      expect(free).toMatchObject([
        { search_id: nothing.body['search_id'], charge_outcome: 'included', credits_ledger_entry_id: null },
      ]);
    },
    START_TIMEOUT_MS * 2 + SETTLE_TIMEOUT_MS * 2 + 10_000,
  );

  it(
    'refuses a search that the account cannot pay, charges nothing and says so in the audit',
    async () => {
      const before = PRICE_CREDITS / 2;
      const demo = await openAccount(running, before, {});
      const { status, body } = await search(demo, 'convert currency');
      expect(status).toBe(402);
      expect(body).toMatchObject({
        query: 'convert currency',
        search_id: 'srch_failed',
        total: 0,
        results: [],
        remaining_credits: 0,
        error_message: expect.stringMatching(/insufficient credits/i),
      });
      const refusedRow = async (): Promise<Row | undefined> =>
        (await rowsOf(demo, '/auth/usage/history/v2?reason_code=insufficient_credits'))[0];
      const deadline = Date.now() + SETTLE_TIMEOUT_MS;
      while ((await refusedRow()) === undefined && Date.now() < deadline) await pause(100);
      expect(await refusedRow()).toMatchObject({
        event_type: 'search',
        charge_outcome: 'failed_not_charged',
        billing_snapshot_status: 'not_applicable',
      });
      expect((await read(demo, '/auth/credits'))['remaining_credits']).toBe(before);
    },
    2 * SETTLE_TIMEOUT_MS + 10_000,
  );

  it(
    'refuses a search that a budget of the key does not admit, in its session only, and says so in the audit',
    async () => {
      const own = await openAccount(running, CREDITS, { session_budget: { amount_credits: PRICE_CREDITS } });
      expect((await search(own, 'convert currency')).status).toBe(200);
      const refused = await search(own, 'convert currency');
      expect(refused).toMatchObject({
        status: 402,
        body: {
          search_id: 'srch_failed',
          results: [],
          remaining_credits: CREDITS - PRICE_CREDITS,
          code: 'budget_exceeded',
          details: [{ scope: 'session', needed_credits: PRICE_CREDITS, available_credits: 0 }],
        },
      });
      expect((await search(own, 'convert currency', 'another session')).status).toBe(200);
      await settledAt(own, CREDITS - 2 * PRICE_CREDITS);
      const deadline = Date.now() + SETTLE_TIMEOUT_MS;
      const rows = async (): Promise<Row[]> => rowsOf(own, '/auth/usage/history/v2?reason_code=budget_exceeded');
      while ((await rows()).length === 0 && Date.now() < deadline) await pause(100);
      expect(await rows()).toMatchObject([{ event_type: 'search', charge_outcome: 'failed_not_charged' }]);
    },
    2 * SETTLE_TIMEOUT_MS + 10_000,
  );
});
