import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import { settleExecutions } from '../settlement/settle-executions.js';
import { BillingReads, START, type ReadAnswer } from '../test-support/billing-reads.js';
import { terminalEvent } from '../test-support/events.js';
import { inTransaction } from '../test-support/scratch-database.js';

const HISTORY = '/auth/account/settlement-history';
const READINESS = '/auth/credits/ledger-readiness';
const HOUR_MS = 3_600_000;

type Row = Readonly<Record<string, unknown>>;
const items = (answer: ReadAnswer): Row[] => answer.data['items'] as Row[];

describe('readiness and the settlement history', () => {
  let billing: BillingReads;
  let account: AccountId;
  beforeAll(async () => {
    billing = await BillingReads.start();
  });
  afterAll(() => billing.stop());

  const withHistory = async (): Promise<AccountId> => {
    account = await billing.account();
    await billing.calls(account, [
      { micro: 1_500_000n, atMs: START + 1 },
      { micro: 0n, atMs: START + 2 },
      { micro: 2_500_000n, atMs: START + HOUR_MS },
    ]);
    billing.setTime(START + 2 * HOUR_MS);
    return account;
  };
  const get = (path: string): Promise<ReadAnswer> => billing.get(account, path);
  const entity = (answer: ReadAnswer, type: string): Row | undefined =>
    (answer.data['entities'] as Row[]).find((row) => row['entity_type'] === type);

  it('find the ledger ready where it holds what the other records say, by entry type', async () => {
    await withHistory();
    const answer = await get(`${READINESS}?start_date=2026-04-01`);
    expect(answer.data).toMatchObject({
      scope: 'all',
      recommended_read_mode: 'ledger',
      ready: true,
      legacy_total_count: 3,
      legacy_total_amount_credits: 996,
      ledger_total_count: 3,
      ledger_total_amount_credits: 996,
      start_date: '2026-04-01',
    });
    expect(answer.data).not.toHaveProperty('end_date');
    expect(entity(answer, 'consume_tool_execute')).toEqual({
      entity_type: 'consume_tool_execute',
      legacy_count: 2,
      legacy_amount_credits: -4,
      ledger_count: 2,
      ledger_amount_credits: -4,
      missing_count: 0,
      extra_count: 0,
      amount_delta_credits: 0,
      ready: true,
    });
    expect((answer.data['entities'] as Row[]).reduce((sum, row) => sum + Number(row['ledger_count']), 0)).toBe(3);
  });

  it('serve the entries newest first, page after page, absent rather than null', async () => {
    await withHistory();
    const all = items(await get(HISTORY));
    expect(all).toHaveLength(2);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^led_/),
      source: 'ledger',
      entry_type: 'consume_tool_execute',
      amount_credits: -2.5,
      source_system: 'execution',
      source_ref_type: 'execution',
      source_ref_id: expect.stringMatching(/^exec_/),
      execution_id: expect.stringMatching(/^exec_/),
      description: 'demo.thing.do.v1: 1 call',
      display_target: 'demo.thing.do.v1',
      billing_summary: '1 call',
      billing_snapshot_status: 'settled',
      details_available: true,
      created_at: new Date(START + HOUR_MS).toISOString(),
    });
    const everything = items(await get(`${HISTORY}?scope=all`));
    expect(everything.at(-1)).not.toHaveProperty('execution_id');
    const first = await get(`${HISTORY}?scope=all&page_size=2`);
    const second = await get(`${HISTORY}?scope=all&page_size=2&cursor=${String(first.data['next_cursor'])}`);
    expect([...items(first), ...items(second)]).toEqual(everything);
    expect([first.data['has_more'], second.data['has_more']]).toEqual([true, false]);
    expect((await get(`${HISTORY}?cursor=${String(first.data['next_cursor'])}`)).status).toBe(422);
  });

  it('answer 503 with Retry-After beyond what is settled, and name the time up to which it is', async () => {
    await withHistory();
    const heldAt = START + 2 * HOUR_MS - 1_000;
    const executionId = await billing.hold(account, 5_000_000n, heldAt);
    for (const query of ['', '?end_date=2026-04-01', '?start_date=2026-04-01&scope=all']) {
      const answer = await get(HISTORY + query);
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json).toEqual({
        status: 'failure',
        message: expect.stringContaining(new Date(heldAt).toISOString()),
        code: 'service_unavailable',
      });
    }
    const before = new Date(heldAt - 1).toISOString();
    expect(items(await get(`${HISTORY}?end_date=${before}`))).toHaveLength(2);
    expect((await get(READINESS)).data).toMatchObject({ ready: true, settled_until: new Date(heldAt).toISOString() });

    const end = {
      executionId,
      accountId: account,
      type: 'ExecutionCompleted',
      success: true,
      bill: 5_000_000n,
    } as const;
    const event = terminalEvent({ ...end, nowMs: START + 2 * HOUR_MS });
    await inTransaction(billing.pool, (tx) => settleExecutions(tx, [event], billing.clock));
    billing.setTime(START + 2 * HOUR_MS + 1);
    expect(items(await get(HISTORY)).map((row) => row['amount_credits'])).toEqual([-5, -2.5, -1.5]);
    // The audit has not heard of it yet, and the ledger is complete all the same.
    expect((await get(READINESS)).data).toMatchObject({ ready: true, ledger_total_count: 4 });
  });

  it.each([
    [
      'a settled call is not in the ledger',
      `UPDATE settlements SET ledger_entry_id = 'led_none', settled_micro = 7, requested_micro = 7
        WHERE settled_micro = 0 AND account_id = $1`,
      { missing_count: 1, extra_count: 0, amount_delta_credits: 0.000007 },
    ],
    [
      'a call was settled for another amount',
      'UPDATE settlements SET settled_micro = 1500001, requested_micro = 1500001 WHERE settled_micro = 1500000 AND account_id = $1',
      { missing_count: 0, extra_count: 0, amount_delta_credits: 0.000001 },
    ],
    [
      'the ledger has what was never settled',
      'DELETE FROM settlements WHERE settled_micro = 1500000 AND account_id = $1',
      { missing_count: 0, extra_count: 1, amount_delta_credits: -1.5 },
    ],
  ])('are not ready where %s', async (_what, sql, expected) => {
    await withHistory();
    await billing.owner.query(sql, [account]);
    const answer = await get(READINESS);
    expect(answer.data).toMatchObject({ ready: false, recommended_read_mode: 'legacy' });
    expect(entity(answer, 'consume_tool_execute')).toMatchObject({ ...expected, ready: false });
    expect(entity(answer, 'grant_welcome_bonus')).toMatchObject({ ready: true });
    const history = await get(HISTORY);
    expect(history.status).toBe(503);
    expect(history.json['message']).toContain('ledger-readiness');
  });

  it('are not ready where a grant is in the ledger without its lot', async () => {
    await withHistory();
    await billing.pool.query('DELETE FROM credit_lots WHERE account_id = $1', [account]);
    expect(entity(await get(READINESS), 'grant_welcome_bonus')).toMatchObject({ extra_count: 1, ready: false });
  });

  it('know what was compared, and still compare what has come since', async () => {
    await withHistory();
    expect((await get(HISTORY)).status).toBe(200);
    const [late] = await billing.calls(account, [{ micro: 3n, atMs: START + 3 * HOUR_MS }]);
    await billing.owner.query('DELETE FROM settlements WHERE source_ref_id = $1', [late]);
    billing.setTime(START + 4 * HOUR_MS);
    expect((await get(HISTORY)).status).toBe(503);
    expect((await get(`${HISTORY}?end_date=${new Date(START + 2 * HOUR_MS).toISOString()}`)).status).toBe(200);
  });
});
