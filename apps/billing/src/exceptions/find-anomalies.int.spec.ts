import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { creditsFromMicro } from '@capability-router/kernel';
import type pg from 'pg';
import { importModelCalls } from '../imports/import-model-calls.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { findAnomalies } from './find-anomalies.js';
import { ExceptionDesk, TestClock } from '../test-support/exception-desk.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';

const MINUTE_MS = 60_000;
const clock = new TestClock();
let database: ScratchDatabase;
let pool: pg.Pool;
let desk: ExceptionDesk;
beforeAll(async () => {
  database = await createScratchDatabase();
  ({ pool } = database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  desk = await ExceptionDesk.open(pool, clock);
});

describe('the reconciler', () => {
  it('raises a charge without its entry a minute after it was recorded, and clears it when the entry has come', async () => {
    const { executionId, completed } = await desk.heldCall(5_000n);
    await desk.audit(completed);
    await findAnomalies(pool, clock);
    expect(await desk.queue()).toEqual([]);
    await desk.reconcile();
    expect(await desk.onlyOpen()).toMatchObject({ kind: 'missing_ledger_link', execution_id: executionId });
    expect((await desk.reconcile()).raised).toBe(0);
    await desk.settle(completed);
    await desk.audit(...(await desk.told()));
    expect((await desk.reconcile()).cleared).toBe(1);
    expect((await desk.queue('closed')).map((one) => one.last_action)).toEqual(['cleared']);
    expect(await desk.violations()).toEqual([]);
  });

  it('raises a dispatched call without a frozen price, of which there is nothing to clear', async () => {
    const completed = desk.unpriced();
    await desk.settle(completed);
    await desk.audit(completed, ...(await desk.told()));
    await desk.reconcile();
    const { exception_id: id, kind } = await desk.onlyOpen();
    expect(kind).toBe('missing_billing_snapshot');
    expect((await desk.reconcile()).cleared).toBe(0);
    await desk.resolve(id, 'confirm');
    expect((await desk.reconcile()).raised).toBe(0);
  });

  it('raises an imported call that failed and was charged, which a refund ends', async () => {
    const { accountId } = desk.account;
    const call = {
      importId: 'call-1',
      accountId,
      model: 'm-1',
      success: false,
      reasonCode: 'provider.error',
      amount: creditsFromMicro(5_000n),
      inputTokens: 10,
      outputTokens: 20,
      occurredMs: clock.now,
      inputHash: 'h',
    };
    await importModelCalls(pool, [call], clock);
    await desk.audit(...(await desk.told()));
    await desk.reconcile();
    const { exception_id: id, kind, execution_id: ref } = await desk.onlyOpen();
    expect([kind, ref.slice(0, 4)]).toEqual(['failed_charged_review', 'imp_']);
    await desk.resolve(id, 'refund');
    expect((await desk.account.balance()).balance).toBe(1_000_000);
    expect(await desk.violations()).toEqual([]);
  });

  it('looks at every row once, also in batches and by several replicas at once', async () => {
    await desk.reconcile();
    const calls = Array.from({ length: 4_500 }, () => desk.unpriced());
    await desk.audit(...calls);
    await findAnomalies(pool, clock);
    clock.now += 2 * MINUTE_MS;
    const reports = await Promise.all(Array.from({ length: 3 }, () => findAnomalies(pool, clock)));
    let [scanned, raised] = [0, 0];
    for (const report of [...reports, await findAnomalies(pool, clock)]) {
      scanned += report.scanned;
      raised += report.raised;
    }
    expect([scanned, raised]).toEqual([4_500, 4_500]);
    expect(await desk.queue('all')).toHaveLength(50);
    const seen = new Set((await desk.queue()).map((one) => one.execution_id));
    const wanted = new Set(calls.map((call) => call.data['executionId']));
    expect([...seen].every((id) => wanted.has(id))).toBe(true);
  });

  it('waits for numbers that were given before and are committed late', async () => {
    await desk.reconcile();
    const late = await pool.connect();
    await late.query('BEGIN');
    await projectUsage(late, [desk.unpriced()]);
    await desk.audit(desk.unpriced());
    await findAnomalies(pool, clock);
    await late.query('COMMIT');
    late.release();
    clock.now += 2 * MINUTE_MS;
    expect((await findAnomalies(pool, clock)).raised).toBe(2);
  });
});
