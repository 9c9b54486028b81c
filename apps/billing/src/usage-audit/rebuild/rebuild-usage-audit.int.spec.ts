/** @postgres-versions A rebuild makes, fills and swaps tables. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, uuidv7 } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { eraseAccounts } from '../../erasure/erase-accounts.js';
import { checkAudit } from '../../invariants/check-audit.js';
import { keepPartitionsAhead } from '../../partitions/keep-partitions-ahead.js';
import { AuditedHistory, auditRows } from '../../test-support/audited-history.js';
import { SeededRandom } from '../../test-support/random.js';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { USAGE_AUDIT_VERSION } from '../domain/usage-row.js';
import { readUsageFeed } from '../usage-queries.sql.js';
import { discardRebuild, rebuildUsageAudit, RebuildRunningError } from './rebuild-usage-audit.js';

const SEED = 24;
const ENDS = 60;
const EVERY_KIND = 10;
const ROUNDS = 6;
const insertRowSql = 'INSERT INTO usage_events (id, account_id, effective_at, recorded) VALUES ($1, $2, now(), $3)';

describe('a rebuild of the usage audit', () => {
  let database: ScratchDatabase;
  let history: AuditedHistory;
  beforeEach(async () => {
    database = await createScratchDatabase();
    history = await AuditedHistory.open(database.pool, new SeededRandom(SEED), systemClock, 3);
    for (let round = 0; round < ROUNDS; round += 1) await history.add(ENDS);
    expect(Object.keys(history.seen)).toHaveLength(EVERY_KIND);
  });
  afterEach(() => database.drop());

  it('gives the same rows, byte for byte, from the facts alone', async () => {
    const before = await auditRows(database.pool);
    // The rebuild does not look at what the live table says.
    await database.pool.query(
      `UPDATE usage_events SET outcome = 'wrong', settled_micro = 1, refunded_micro = 1, bill = NULL`,
    );
    expect(await auditRows(database.pool)).not.toEqual(before);
    const { facts, kept, resumed } = await rebuildUsageAudit(database.owner);
    expect(await auditRows(database.pool)).toEqual(before);
    expect({ kept, resumed }).toEqual({ kept: 0, resumed: false });
    expect(facts).toBeGreaterThanOrEqual(before.length);
    expect(await checkAudit(database.pool)).toEqual([]);
  });

  it('follows the traffic that goes on beside it, settlements and refunds of older rows included', async () => {
    const running = { stopped: false };
    let added = 0;
    const traffic = (async () => {
      for (; !running.stopped; added += 1) await history.add(ENDS);
    })();
    let live: string[] = [];
    await rebuildUsageAudit(database.owner, {
      batchFacts: 20,
      beforeSwitch: async () => {
        running.stopped = true;
        await traffic;
        live = await auditRows(database.pool);
      },
    });
    expect(added).toBeGreaterThan(0);
    expect(await auditRows(database.pool)).toEqual(live);
  });

  it('loses nothing that is written over the switch', async () => {
    const running = { stopped: false };
    const traffic = (async () => {
      while (!running.stopped) await history.add(5);
    })();
    for (let times = 0; times < 3; times += 1) await rebuildUsageAudit(database.owner, { batchFacts: 200 });
    running.stopped = true;
    await traffic;
    const after = await auditRows(database.pool);
    expect(await checkAudit(database.pool)).toEqual([]);
    await rebuildUsageAudit(database.owner);
    expect(await auditRows(database.pool)).toEqual(after);
  });

  it('goes on where a run was ended', async () => {
    const before = await auditRows(database.pool);
    const stop = new AbortController();
    const first = rebuildUsageAudit(database.owner, {
      batchFacts: 50,
      signal: stop.signal,
      onProgress: ({ facts }) => {
        if (facts >= 100) stop.abort();
      },
    });
    await expect(first).rejects.toThrow(/aborted/);
    await history.add(ENDS);
    const starts: number[] = [];
    const second = await rebuildUsageAudit(database.owner, {
      batchFacts: 50,
      onProgress: ({ facts }) => starts.push(facts),
    });
    expect(second.resumed).toBe(true);
    expect(starts[0]).toBeGreaterThan(100);
    const after = await auditRows(database.pool);
    const rows = new Set(after);
    expect(before.filter((row) => !rows.has(row))).toEqual([]);
    await rebuildUsageAudit(database.owner);
    expect(await auditRows(database.pool)).toEqual(after);
  });

  it('changes no id and no place of a cursor', async () => {
    const { pool } = database;
    const [accountId = ''] = history.accounts;
    const page = { window: {} };
    const whole = await readUsageFeed(pool, accountId, page, { beforeSeq: undefined, rows: 1_000 });
    const place = whole[10]?.record_seq;
    const rest = await readUsageFeed(pool, accountId, page, { beforeSeq: place, rows: 1_000 });
    await rebuildUsageAudit(database.owner);
    expect(await readUsageFeed(pool, accountId, page, { beforeSeq: place, rows: 1_000 })).toEqual(rest);
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(11).map(({ id }) => id));
  });

  it('brings back no text of an account that was erased', async () => {
    const { pool } = database;
    const [accountId = ''] = history.accounts;
    await pool.query(`INSERT INTO erased_accounts VALUES ($1, now(), now() - interval '1 minute')`, [accountId]);
    await eraseAccounts(pool, systemClock);
    const before = await auditRows(pool);
    await rebuildUsageAudit(database.owner);
    expect(await auditRows(pool)).toEqual(before);
    const { rows } = await pool.query('SELECT 1 FROM usage_events WHERE account_id = $1 AND session_id IS NOT NULL', [
      accountId,
    ]);
    expect(rows).toEqual([]);
  });

  it('keeps a row whose fact has not come yet, which the fact completes after the switch', async () => {
    const { pool } = database;
    await pool.query(insertRowSql, [uuidv7(systemClock.nowMs()), history.accounts[0], false]);
    const before = await auditRows(pool);
    expect((await rebuildUsageAudit(database.owner)).kept).toBe(0);
    expect(await auditRows(pool)).toEqual(before);
  });

  it('tells of rows that no fact explains, and keeps them', async () => {
    const { pool } = database;
    await pool.query(insertRowSql, [uuidv7(systemClock.nowMs()), history.accounts[0], true]);
    const before = await auditRows(pool);
    expect((await rebuildUsageAudit(database.owner)).kept).toBe(1);
    expect(await auditRows(pool)).toEqual(before);
  });

  it('is done by one process at a time, can be given up, and leaves the live table without triggers', async () => {
    const { pool } = database;
    const refused: unknown[] = [];
    let told = (): void => undefined;
    const oneIsRefused = new Promise<void>((resolve) => (told = resolve));
    // Whichever was first does not end before the other one has come.
    const run = (): Promise<unknown> =>
      rebuildUsageAudit(database.owner, { beforeSwitch: () => oneIsRefused }).catch((error: unknown) => {
        refused.push(error);
        told();
      });
    await Promise.all([run(), run()]);
    expect(refused).toEqual([expect.any(RebuildRunningError)]);
    const stop = new AbortController();
    const begun = rebuildUsageAudit(database.owner, {
      batchFacts: 50,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(begun).rejects.toThrow(/aborted/);
    expect(await discardRebuild(database.owner)).toBe(true);
    expect(await discardRebuild(database.owner)).toBe(false);
    const { rows } = await pool.query(`SELECT tgname FROM pg_trigger WHERE tgrelid = 'usage_events'::regclass`);
    expect(rows).toEqual([]);
    await history.add(ENDS);
    expect((await pool.query('SELECT FROM usage_event_changes')).rowCount).toBe(0);
  });

  it('leaves names, indexes, partitions and their job as they were, and takes no long transaction', async () => {
    const { pool } = database;
    const names = async (): Promise<unknown> =>
      (
        await pool.query(
          `SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_class c
            WHERE c.oid IN (SELECT relid FROM pg_partition_tree('usage_events'))
               OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'usage_events'::regclass) ORDER BY 1`,
        )
      ).rows;
    const before = await names();
    await rebuildUsageAudit(database.owner, {
      beforeSwitch: async () => {
        await keepPartitionsAhead(pool, systemClock);
      },
    });
    await keepPartitionsAhead(pool, systemClock);
    expect(await names()).not.toEqual(before);
    const grown = await names();
    await rebuildUsageAudit(database.owner);
    expect(await names()).toEqual(grown);
    expect(await inTransaction(pool, (tx) => tx.query('SELECT version FROM projections'))).toMatchObject({
      rows: [{ version: USAGE_AUDIT_VERSION }],
    });
  });
});
