/** @postgres-versions Reads in order depend on the plan. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, type ExecutionId } from '@capability-router/kernel';
import { parseCreditRange } from '../queries/credit-range.js';
import { terminalEvent } from '../test-support/events.js';
import {
  createScratchDatabase,
  inTransaction,
  PATIENT_MS,
  type ScratchDatabase,
} from '../test-support/scratch-database.js';
import { projectUsage } from './project-usage.js';
import type { UsageFilter } from './usage-filter.js';
import { listUsage } from './usage-queries.sql.js';

const NOW = 1_763_700_000_000;
const PAGE = { page: 1, rows: 50, offset: 0 };

describe('the usage history, filtered', () => {
  const accountId = newAccountId(NOW);
  const ids: Record<string, ExecutionId> = {};
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    for (const [name, bill, nowMs] of [
      ['free', 0n, NOW],
      ['pending', 3_000_000n, NOW + 1],
      ['settled', 2_500_000n, NOW + 2],
      ['uncollected', 5_000_000n, NOW + 3],
    ] as const) {
      const executionId = newExecutionId(nowMs);
      ids[name] = executionId;
      const event = terminalEvent({ executionId, accountId, type: 'ExecutionCompleted', success: true, bill, nowMs });
      const data = { ...event.data, searchId: name };
      await inTransaction(database.pool, (tx) => projectUsage(tx, [{ ...event, data }]));
    }
    const settle = `UPDATE usage_events SET settlement_status = $2, settled_micro = $3 WHERE execution_id = $1`;
    await database.pool.query(settle, [ids['settled'], 'settled', '2500000']);
    await database.pool.query(settle, [ids['uncollected'], 'uncollected', '0']);
  });
  afterAll(() => database.drop());

  const names = async (filter: Omit<UsageFilter, 'window'>): Promise<string[]> => {
    const { rows, total } = await listUsage(database.pool, accountId, { window: {}, ...filter }, PAGE, PATIENT_MS);
    expect(total).toBe(rows.length);
    return rows.map((row) => Object.keys(ids).find((name) => ids[name] === row.execution_id) ?? '?');
  };

  it.each([
    ['no bound', {}, ['uncollected', 'settled', 'pending', 'free']],
    ['a minimum, equal counts', { min_credits: 2.5 }, ['settled', 'pending']],
    ['a maximum, equal counts', { max_credits: 2.5 }, ['uncollected', 'settled', 'free']],
    ['both', { min_credits: 0.000001, max_credits: 2.9 }, ['settled']],
    ['a minimum that none reaches', { min_credits: 3.000001 }, []],
  ])('by credits, settled before requested: %s', async (_what, range, expected) => {
    expect(await names({ credits: parseCreditRange(range) })).toEqual(expected);
  });

  it('by a search id as its caller gave it, whatever its form', async () => {
    expect(await names({ search_id: 'settled' })).toEqual(['settled']);
    expect(await names({ search_id: 'never' })).toEqual([]);
  });
});
