import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newExecutionId, toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { eraseAccounts } from '../erasure/erase-accounts.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { auditRows } from '../test-support/audited-history.js';
import { digestTables } from '../test-support/digest-tables.js';
import { rebuildUsageAudit } from '../usage-audit/rebuild/rebuild-usage-audit.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { readActions } from './exceptions.sql.js';
import { ExceptionDesk, TestClock } from '../test-support/exception-desk.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { untilItWaits } from '../test-support/until-it-waits.js';

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

describe('a captured success that is reported as a failure', () => {
  it.each([
    ['settled and audited before', ['settle', 'audit', 'told', 'settle revised', 'audit revised']],
    ['audited before it is settled', ['audit', 'audit revised', 'settle', 'settle revised', 'told']],
    [
      'audited before its settlement is known to the audit',
      ['settle', 'settle revised', 'audit', 'audit revised', 'told'],
    ],
    ['settled in the same batch', ['settle both', 'audit both', 'told']],
    ['known to the audit by its revision first', ['audit revised', 'settle', 'settle revised', 'audit', 'told']],
  ])('waits for review, whatever came first: %s', async (_name, steps) => {
    const { executionId, completed, revised } = await desk.heldCall(5_000n);
    const work: Record<string, () => Promise<void>> = {
      settle: () => desk.settle(completed),
      audit: () => desk.audit(completed),
      told: async () => desk.audit(...(await desk.told())),
      'settle revised': () => desk.settle(revised),
      'audit revised': () => desk.audit(revised),
      'settle both': () => desk.settle(completed, revised),
      'audit both': () => desk.audit(completed, revised),
    };
    for (const step of steps) await work[step]?.();
    // Once more, as a bus that delivers at least once may.
    for (const step of steps) await work[step]?.();
    expect(await desk.row(executionId)).toMatchObject({
      success: false,
      billable_success: false,
      outcome: 'provider_failure',
      reason_code: 'provider.error',
      user_message: null,
      charge_outcome: 'failed_charged_review',
      settled_micro: '5000',
      requested_micro: '5000',
    });
    expect(await desk.onlyOpen()).toMatchObject({ kind: 'failed_charged_review', execution_id: executionId });
    await desk.reconcile();
    expect(await desk.queue()).toHaveLength(1);
    expect(await desk.violations()).toEqual([]);
  });

  it('ends as not charged by the refund of its exception, once', async () => {
    const { executionId, completed, revised } = await desk.heldCall(5_000n);
    await desk.settle(completed, revised);
    await desk.audit(completed, revised, ...(await desk.told()));
    const { exception_id: id } = await desk.onlyOpen();
    expect((await desk.account.balance()).balance).toBe(995_000);
    const answer = await desk.resolve(id, 'refund', `refund-${id}`);
    expect(answer).toMatchObject({ state: 'refunded', refund: { amount_credits: 0.005, execution_id: executionId } });
    expect(await desk.resolve(id, 'refund', `refund-${id}`)).toEqual(answer);
    expect((await desk.account.balance()).balance).toBe(1_000_000);
    await desk.audit(...(await desk.told()));
    expect(await desk.row(executionId)).toMatchObject({ charge_outcome: 'failed_not_charged', settled_micro: '5000' });
    expect(await desk.queue()).toEqual([]);
    const before = await digestTables(pool);
    for (const resolution of ['refund', 'confirm', 'write_off'] as const) {
      await expect(desk.resolve(id, resolution)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await digestTables(pool)).toEqual(before);
    expect(await readActions(pool, id)).toMatchObject([
      { action: 'refunded', acted_by: 'test', reference: 'ticket-7', note: 'a note' },
    ]);
    expect(await desk.violations()).toEqual([]);
  });

  it('is decided once when two decide at the same moment', async () => {
    const { completed, revised } = await desk.heldCall(5_000n);
    await desk.settle(completed, revised);
    const { exception_id: id } = await desk.onlyOpen();
    const decided = await Promise.allSettled([
      desk.resolve(id, 'refund'),
      desk.resolve(id, 'confirm'),
      desk.resolve(id, 'refund'),
      desk.resolve(id, 'confirm'),
    ]);
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readActions(pool, id)).toHaveLength(1);
    expect(await checkInvariants(pool)).toEqual([]);
  });

  it('is cleared by the reconciler when the charge is refunded elsewhere', async () => {
    const { executionId, completed, revised } = await desk.heldCall(5_000n);
    await desk.settle(completed, revised);
    const { exception_id: id } = await desk.onlyOpen();
    await desk.reconcile();
    // The audit has not heard of anything yet, and says nothing against the review.
    expect(await desk.queue()).toHaveLength(1);
    await desk.audit(completed, revised, ...(await desk.told()));
    const { accountId } = desk.account;
    await desk.account.command('refund', (tx, at) => refundCharge(tx, { accountId, of: executionId }, at));
    await desk.audit(...(await desk.told()));
    expect((await desk.reconcile()).cleared).toBe(1);
    expect(await readActions(pool, id)).toMatchObject([{ action: 'cleared', acted_by: 'reconciler' }]);
    expect(await desk.violations()).toEqual([]);
  });

  it('leaves no exception where nothing was charged', async () => {
    const executionId = newExecutionId(clock.now);
    const { completed, revised } = desk.callOf(executionId, 0n);
    await desk.settle(completed, revised);
    await desk.audit(completed, revised, ...(await desk.told()));
    expect(await desk.row(executionId)).toMatchObject({ charge_outcome: 'failed_not_charged' });
    expect(await desk.queue('all')).toEqual([]);
  });

  it('stays erased, and is the same after a rebuild', async () => {
    const { executionId, completed, revised } = await desk.heldCall(5_000n);
    await desk.settle(completed);
    const texts = { ...completed, data: { ...completed.data, sessionId: 'of a person', model: 'm' } };
    await desk.audit(texts, ...(await desk.told()));
    await pool.query('INSERT INTO erased_accounts (account_id, erased_at, due_at) VALUES ($1, $2, $2)', [
      desk.account.accountId,
      toIso(clock.now),
    ]);
    await eraseAccounts(pool, clock);
    await desk.settle(revised);
    await desk.audit(revised);
    const { exception_id: id } = await desk.onlyOpen();
    await desk.resolve(id, 'confirm');
    await eraseAccounts(pool, { nowMs: () => clock.now + 7 * 60 * MINUTE_MS });
    expect(await desk.row(executionId)).toMatchObject({
      session_id: null,
      model: null,
      user_message: null,
      charge_outcome: 'failed_charged_review',
    });
    expect(await readActions(pool, id)).toMatchObject([{ action: 'confirmed', note: null, acted_by: 'test' }]);
    const before = await auditRows(pool);
    await rebuildUsageAudit(database.owner);
    expect(await auditRows(pool)).toEqual(before);
  });
});

describe('a decision that waits for another one', () => {
  it.each(['refund', 'confirm', 'write_off'] as const)('%s has a time after what it waited for', async (resolution) => {
    if (resolution === 'write_off') {
      await desk.settle(desk.callOf(newExecutionId(clock.now), 7_000n).completed);
    } else {
      const { completed, revised } = await desk.heldCall(5_000n);
      await desk.settle(completed, revised);
    }
    const { exception_id: id } = await desk.onlyOpen();
    const other = await pool.connect();
    let decided: Promise<unknown> = Promise.resolve();
    try {
      await other.query('BEGIN');
      await other.query('DELETE FROM open_exceptions WHERE exception_id = $1', [id]);
      decided = desk.resolve(id, resolution);
      await untilItWaits(pool, decided);
      clock.now += MINUTE_MS;
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
    expect(await decided).toMatchObject({ closed_at: toIso(clock.now) });
    expect((await readActions(pool, id)).map(({ acted_at }) => toIso(acted_at.getTime()))).toEqual([toIso(clock.now)]);
    expect(await desk.violations()).toEqual([]);
  });
});

describe('what settlement could not collect', () => {
  it('can be written off or confirmed, and has no charge to refund', async () => {
    const { completed } = desk.callOf(newExecutionId(clock.now), 7_000n);
    await desk.settle(completed);
    const { exception_id: id, kind } = await desk.onlyOpen();
    expect(kind).toBe('missing_hold');
    const before = await digestTables(pool);
    await expect(desk.resolve(id, 'refund')).rejects.toMatchObject({ code: 'conflict' });
    expect(await digestTables(pool)).toEqual(before);
    expect(await desk.resolve(id, 'write_off')).toMatchObject({ state: 'written_off', amount_credits: 0.007 });
    expect(await readActions(pool, id)).toMatchObject([{ action: 'written_off', amount_micro: '7000' }]);
    expect((await desk.account.balance()).balance).toBe(1_000_000);
    expect(await desk.violations()).toEqual([]);
  });
});
