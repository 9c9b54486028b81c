/** @postgres-versions Who waits for which lock is up to the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newApiKeyId, newExecutionId, systemClock } from '@capability-router/kernel';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import {
  BudgetedHolds,
  NOON,
  perKey,
  perProject,
  perSession,
  perToken,
  PRICE,
} from '../test-support/budgeted-holds.js';

const CLIENTS = 50;

describe('budgets, with many at once over two replicas', () => {
  let holds: BudgetedHolds;
  beforeAll(async () => {
    holds = await BudgetedHolds.start();
  });
  afterAll(() => holds.stop());

  it('are never passed by 50 calls at once over two replicas that settle meanwhile', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const budgets = { ...perKey(10n, 'day'), ...perSession(7n) };
    await holds.connectAll();
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, i) => {
        const pool = holds.poolOf(i);
        const executionId = newExecutionId(systemClock.nowMs());
        // Every third is of another session, which has room to spare: there the key's budget refuses.
        const sessionId = i % 3 === 0 ? 'other' : 'task';
        const answer = await holds.place({ accountId, apiKeyId, budgets, sessionId, executionId, pool });
        if (answer.status === 'held') await holds.settle(accountId, executionId, PRICE, pool);
        return answer.status;
      }),
    );
    expect(answers.filter((status) => status === 'held')).toHaveLength(10);
    expect(answers.filter((status) => status === 'budget_exceeded')).toHaveLength(CLIENTS - 10);
    expect(await checkInvariants(holds.pool)).toEqual([]);
    const counters = await holds.countersOf(apiKeyId);
    expect(counters.find(([id]) => id === 'key:2026-03-31')).toEqual(['key:2026-03-31', 0, 10]);
    const sessions = counters.filter(([id]) => String(id).startsWith('session:'));
    for (const [, , spent] of sessions) expect(spent).toBeLessThanOrEqual(7);
    expect(sessions.map(([, , spent]) => Number(spent)).reduce((a, b) => a + b)).toBe(10);
  });

  it('of a delegation token are never passed by 200 calls at once, and count what is given back', async () => {
    const { accountId } = await holds.someone();
    const tokenId = newApiKeyId(NOON);
    const own = { accountId, budgets: perToken(tokenId, 40n) };
    await holds.connectAll();
    const placed = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const executionId = newExecutionId(systemClock.nowMs());
        const { status } = await holds.place({ ...own, executionId, pool: holds.poolOf(i) });
        return { executionId, status };
      }),
    );
    const held = placed.filter(({ status }) => status === 'held').map(({ executionId }) => executionId);
    expect(held).toHaveLength(40);
    expect(placed.filter(({ status }) => status === 'budget_exceeded')).toHaveLength(160);
    expect(await holds.counterOf(`delegation:${tokenId}`)).toEqual([40, 0]);
    const dead = held.splice(0, 10);
    await Promise.all([
      releaseHolds(holds.pool, dead, new Date(NOON)),
      ...held.map((executionId, i) => holds.settle(accountId, executionId, PRICE, holds.poolOf(i))),
    ]);
    expect(await holds.counterOf(`delegation:${tokenId}`)).toEqual([0, 30]);
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('of a project are never passed by all of its keys at once, and each key keeps to its own beside it', async () => {
    const { accountId } = await holds.someone();
    const projectId = newApiKeyId(NOON);
    const keys = [newApiKeyId(NOON), newApiKeyId(NOON), newApiKeyId(NOON)];
    await holds.connectAll();
    const placed = await Promise.all(
      Array.from({ length: 90 }, async (_, i) => {
        const apiKeyId = keys[i % 3] ?? '';
        // The first key may spend less than the project.
        const budgets = { ...perProject(30n), ...(i % 3 === 0 ? perKey(5n) : {}) };
        const executionId = newExecutionId(systemClock.nowMs());
        const own = { accountId, apiKeyId, projectId, budgets, executionId, pool: holds.poolOf(i) };
        return { apiKeyId, executionId, status: (await holds.place(own)).status };
      }),
    );
    const held = placed.filter(({ status }) => status === 'held');
    expect(held).toHaveLength(30);
    expect(held.filter(({ apiKeyId }) => apiKeyId === keys[0]).length).toBeLessThanOrEqual(5);
    expect(await holds.counterOf(`project:${projectId}:2026-03`)).toEqual([30, 0]);
    await Promise.all(held.map(({ executionId }, i) => holds.settle(accountId, executionId, PRICE, holds.poolOf(i))));
    expect(await holds.counterOf(`project:${projectId}:2026-03`)).toEqual([0, 30]);
    const refused = await holds.place({ accountId, projectId, budgets: perProject(30n) });
    expect(refused).toMatchObject({ status: 'budget_exceeded', budgets: [{ scope: 'project' }] });
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('are checked by one hold after the other, also where the first of them waits for the balance', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const own = { accountId, apiKeyId, budgets: { ...perKey(3n), ...perSession(3n) }, sessionId: 'task' };
    expect((await holds.place(own)).status).toBe('held');
    const blocker = await holds.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM account_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
    const answers = Array.from({ length: 10 }, (_, i) => holds.place({ ...own, pool: holds.poolOf(i) }));
    const waiting = `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (;;) {
      // Not in the transaction of the blocker, which would go on seeing the connections of its first look.
      const { rows } = await holds.pool.query<{ waiting: number }>(waiting);
      if (rows[0]?.waiting === answers.length) break;
    }
    await blocker.query('COMMIT');
    blocker.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'held')).toHaveLength(2);
    expect(statuses.filter((status) => status === 'budget_exceeded')).toHaveLength(8);
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('never deadlock, with holds, settlements and releases of the same budgets in every order', async () => {
    const { accountId } = await holds.someone();
    const keys = [newApiKeyId(NOON), newApiKeyId(NOON + 1)];
    const budgets = { ...perKey(1_000n, 'day'), ...perSession(1_000n) };
    // Broken off by PostgreSQL, a command would reject here.
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const pool = holds.poolOf(i);
        const executionId = newExecutionId(systemClock.nowMs());
        const apiKeyId = keys[i % 2] ?? '';
        await holds.place({ accountId, apiKeyId, budgets, sessionId: `task ${i % 3}`, executionId, pool });
        if (i % 5 === 0) await releaseHolds(pool, [executionId], new Date(NOON));
        else await holds.settle(accountId, executionId, i % 7 === 0 ? 0n : PRICE, pool);
      }),
    );
    expect(await checkInvariants(holds.pool)).toEqual([]);
    const { rows } = await holds.pool.query(
      'SELECT count(*)::int AS open FROM holds WHERE account_id = $1 AND state = $2',
      [accountId, 'open'],
    );
    expect(rows).toEqual([{ open: 0 }]);
  });
});
