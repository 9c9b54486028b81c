import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  creditsFromMicro,
  newApiKeyId,
  newExecutionId,
  systemClock,
  type ExecutionId,
} from '@capability-router/kernel';
import type pg from 'pg';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import {
  BudgetedHolds,
  limitOf,
  NOON,
  perKey,
  perSession,
  perToken,
  PRICE,
  type WantedHold,
} from '../test-support/budgeted-holds.js';
import { digestTables } from '../test-support/digest-tables.js';
import { budgetsOfCredential, MAX_BUDGETS_OF_HOLD } from './domain/budgets-of-credential.js';
import { MAX_SESSIONS_OF_KEY } from './open-budgets.sql.js';
import { PERIOD_KEPT_MS, purgeBudgets, SESSION_IDLE_MS } from './purge-budgets.sql.js';

describe('budgets', () => {
  let holds: BudgetedHolds;
  beforeAll(async () => {
    holds = await BudgetedHolds.start();
  });
  afterAll(() => holds.stop());

  it('admit a hold into all of them or into none, and tell what each still admits', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const budgets = { ...perKey(5n, 'month'), ...perSession(2n) };
    const own = { accountId, apiKeyId, budgets, sessionId: 'task' };
    expect((await holds.place(own)).status).toBe('held');
    const before = await digestTables(holds.pool);
    expect(await holds.place({ ...own, amount: PRICE * 2n })).toEqual({
      status: 'budget_exceeded',
      availableMicroCredits: (PRICE * 999n).toString(),
      budgets: [{ scope: 'session', limitMicroCredits: limitOf(2n), availableMicroCredits: limitOf(1n) }],
    });
    expect(await holds.place({ ...own, amount: PRICE * 6n })).toMatchObject({
      budgets: [
        { scope: 'session', availableMicroCredits: limitOf(1n) },
        { scope: 'key', availableMicroCredits: limitOf(4n), periodEndsAt: '2026-04-01T00:00:00.000Z' },
      ],
    });
    // Not even a counter is opened for what cannot be admitted.
    expect(await holds.place({ ...own, sessionId: 'new', amount: PRICE * 3n })).toMatchObject({
      status: 'budget_exceeded',
    });
    expect(await holds.place({ ...own, sessionId: 'new', amount: PRICE * 2_000n })).toMatchObject({
      status: 'insufficient_credits',
    });
    expect(await digestTables(holds.pool)).toEqual(before);
  });

  it('count a charge as spent, give back the rest of its hold, and all of one that ends without a charge', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const own = { accountId, apiKeyId, budgets: perKey(10n), amount: PRICE * 2n };
    const ids = [1, 2, 3].map(() => newExecutionId(systemClock.nowMs()));
    const [charged, uncollected, dead] = ids as [ExecutionId, ExecutionId, ExecutionId];
    for (const executionId of ids) expect((await holds.place({ ...own, executionId })).status).toBe('held');
    expect(await holds.countersOf(apiKeyId)).toEqual([['key:total', 6, 0]]);
    await holds.settle(accountId, charged, PRICE);
    // A bill above its hold is not collected.
    await holds.settle(accountId, uncollected, PRICE * 3n);
    await releaseHolds(holds.pool, [dead], new Date(NOON));
    expect(await holds.countersOf(apiKeyId)).toEqual([['key:total', 0, 1]]);
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('are left alone by an equal hold that comes again, also on the next day', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const executionId = newExecutionId(systemClock.nowMs());
    const own = { accountId, apiKeyId, budgets: perKey(1n, 'day'), executionId };
    for (const nowMs of [NOON, NOON, NOON + SESSION_IDLE_MS]) {
      expect((await holds.place({ ...own, nowMs })).status).toBe('held');
    }
    expect(await holds.countersOf(apiKeyId)).toEqual([['key:2026-03-31', 1, 0]]);
    expect((await holds.place({ ...own, amount: 1n })).status).toBe('conflict');
  });

  it('are settled in the period in which the hold was taken', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const own = { accountId, apiKeyId, budgets: perKey(1n, 'day') };
    const executionId = newExecutionId(systemClock.nowMs());
    const midnight = Date.UTC(2026, 3, 1);
    expect((await holds.place({ ...own, executionId, nowMs: midnight - 1 })).status).toBe('held');
    expect((await holds.place({ ...own, nowMs: midnight - 1 })).status).toBe('budget_exceeded');
    expect((await holds.place({ ...own, nowMs: midnight })).status).toBe('held');
    await holds.settle(accountId, executionId, PRICE);
    expect(await holds.countersOf(apiKeyId)).toEqual([
      ['key:2026-03-31', 0, 1],
      ['key:2026-04-01', 1, 0],
    ]);
    expect((await holds.place({ ...own, nowMs: midnight })).status).toBe('budget_exceeded');
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('follow a limit that is raised, and admit nothing under one that is lowered below what was spent', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const own = { accountId, apiKeyId };
    for (let i = 0; i < 2; i += 1) expect((await holds.place({ ...own, budgets: perKey(2n) })).status).toBe('held');
    expect((await holds.place({ ...own, budgets: perKey(2n) })).status).toBe('budget_exceeded');
    expect((await holds.place({ ...own, budgets: perKey(3n) })).status).toBe('held');
    expect(await holds.place({ ...own, budgets: perKey(1n), amount: 1n })).toMatchObject({
      budgets: [{ limitMicroCredits: limitOf(1n), availableMicroCredits: '0' }],
    });
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('of sessions beyond the bound, and of calls without one, are one budget', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    await holds.pool.query(
      `INSERT INTO budgets (budget_id, account_id, api_key_id, scope, session_hash, limit_micro, opened_at, used_at)
       SELECT 'session:' || $1 || ':' || i, $2, $1::uuid, 'session', i::text, 1, $3, $3 FROM generate_series(1, $4) AS i`,
      [apiKeyId, accountId, new Date(NOON), MAX_SESSIONS_OF_KEY - 1],
    );
    const own = { accountId, apiKeyId, budgets: perSession(2n) };
    // The last one that has a counter of its own.
    for (let i = 0; i < 2; i += 1) expect((await holds.place({ ...own, sessionId: 'last' })).status).toBe('held');
    expect((await holds.place({ ...own, sessionId: 'last' })).status).toBe('budget_exceeded');
    expect((await holds.place({ ...own, sessionId: 'one too many' })).status).toBe('held');
    expect((await holds.place(own)).status).toBe('held');
    expect(await holds.place({ ...own, sessionId: 'another' })).toMatchObject({
      status: 'budget_exceeded',
      budgets: [{ scope: 'session', periodEndsAt: '2026-04-01T00:00:00.000Z' }],
    });
    const { rows } = await holds.pool.query(
      'SELECT count(*)::int AS rows FROM budgets WHERE api_key_id = $1 AND session_hash IS NOT NULL',
      [apiKeyId],
    );
    expect(rows).toEqual([{ rows: MAX_SESSIONS_OF_KEY }]);
  });

  it('are forgotten when nothing needs them, and count anew when they come back', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    const budgets = { ...perKey(9n, 'day'), ...perSession(1n) };
    const own = { accountId, apiKeyId, budgets };
    const executionId = newExecutionId(systemClock.nowMs());
    expect((await holds.place({ ...own, sessionId: 'ended', executionId })).status).toBe('held');
    expect((await holds.place({ ...own, sessionId: 'running' })).status).toBe('held');
    await holds.settle(accountId, executionId, PRICE);
    await purgeBudgets(holds.pool, NOON + SESSION_IDLE_MS - 1);
    expect(await holds.countersOf(apiKeyId)).toHaveLength(3);
    const later = NOON + SESSION_IDLE_MS;
    await purgeBudgets(holds.pool, later);
    expect(await holds.countersOf(apiKeyId)).toHaveLength(2);
    expect((await holds.place({ ...own, sessionId: 'running', nowMs: later })).status).toBe('budget_exceeded');
    expect((await holds.place({ ...own, sessionId: 'ended', nowMs: later })).status).toBe('held');
    expect(await checkInvariants(holds.pool)).toEqual([]);
    // The running one reserves in that day still.
    await purgeBudgets(holds.pool, later + 2 * PERIOD_KEPT_MS);
    expect((await holds.countersOf(apiKeyId)).map(([id]) => id)).toContain('key:2026-03-31');
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('of a delegation token are forgotten a day after it was last used, unless a hold is open under them', async () => {
    const { accountId } = await holds.someone();
    const [ended, running] = [newApiKeyId(NOON), newApiKeyId(NOON + 1)];
    const executionId = newExecutionId(systemClock.nowMs());
    const own = (tokenId: string) => ({ accountId, budgets: perToken(tokenId, 1n) });
    expect((await holds.place({ ...own(ended), executionId })).status).toBe('held');
    expect((await holds.place(own(running))).status).toBe('held');
    expect(await holds.place(own(ended))).toMatchObject({
      status: 'budget_exceeded',
      budgets: [{ scope: 'delegation', limitMicroCredits: limitOf(1n), availableMicroCredits: '0' }],
    });
    await holds.settle(accountId, executionId, PRICE);
    expect(await holds.counterOf(`delegation:${ended}`)).toEqual([0, 1]);
    await purgeBudgets(holds.pool, NOON + SESSION_IDLE_MS - 1);
    expect(await holds.counterOf(`delegation:${ended}`)).toEqual([0, 1]);
    await purgeBudgets(holds.pool, NOON + SESSION_IDLE_MS);
    expect(await holds.counterOf(`delegation:${ended}`)).toBeUndefined();
    expect(await holds.counterOf(`delegation:${running}`)).toEqual([1, 0]);
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });

  it('cost a hold without one no statement, and a hold under some of them none after their first', async () => {
    const { accountId, apiKeyId } = await holds.someone();
    let statements = 0;
    const pool = {
      query: (...given: Parameters<typeof holds.pool.query>) => {
        statements += 1;
        return holds.pool.query(...given);
      },
    } as unknown as pg.Pool;
    const counted = async (wanted: Partial<WantedHold>): Promise<number> => {
      statements = 0;
      expect((await holds.place({ accountId, apiKeyId, budgets: {}, pool, ...wanted })).status).toBe('held');
      return statements;
    };
    expect(await counted({})).toBe(1);
    const budgets = { ...perKey(9n, 'day'), ...perSession(9n) };
    await counted({ budgets, sessionId: 'task' });
    expect(await counted({ budgets, sessionId: 'task' })).toBe(1);
  });

  it('are at most four of one hold', async () => {
    const { accountId } = await holds.someone();
    const wanted = Array.from({ length: MAX_BUDGETS_OF_HOLD + 1 }, (_, i) =>
      budgetsOfCredential({ apiKeyId: newApiKeyId(NOON + i), budgets: perKey(9n) }, undefined, NOON),
    ).flat();
    const now = new Date(NOON);
    const hold = { accountId, amount: creditsFromMicro(PRICE), inquireAfter: now, now };
    const withBudgets = (count: number) =>
      placeHold(holds.pool, { ...hold, billableId: newExecutionId(NOON), budgets: wanted.slice(0, count) });
    expect((await withBudgets(MAX_BUDGETS_OF_HOLD)).status).toBe('held');
    await expect(withBudgets(MAX_BUDGETS_OF_HOLD + 1)).rejects.toThrow('holds_at_most_four_budgets');
    expect(await checkInvariants(holds.pool)).toEqual([]);
  });
});
