/** @postgres-versions A rebuild makes, fills and swaps tables. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { rebuildUsageAudit } from './rebuild-usage-audit.js';

describe('the tables of a rebuild', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const settings = async (parent: string): Promise<(readonly string[] | null)[]> => {
    const { rows } = await database.pool.query<{ settings: string[] | null }>(
      `SELECT c.reloptions AS settings FROM pg_partition_tree($1::regclass) t JOIN pg_class c ON c.oid = t.relid
        WHERE t.isleaf ORDER BY c.relname`,
      [parent],
    );
    return rows.map((row) => row.settings);
  };

  it('are not vacuumed while they grow, and as the ones of before when they are live', async () => {
    const before = await settings('usage_events');
    let beside: (readonly string[] | null)[] = [];
    await rebuildUsageAudit(database.owner, {
      beforeSwitch: async () => {
        beside = await settings('usage_events_next');
      },
    });
    expect(beside).toEqual(before.map((live) => [...(live ?? []), 'autovacuum_enabled=false']));
    expect(await settings('usage_events')).toEqual(before);
  });
});
