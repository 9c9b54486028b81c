/** @postgres-versions Migrations and functions make partitions. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { untilReadable } from '@capability-router/event-store/testing';
import { newAccountId, newExecutionId, uuidv7, type Clock } from '@capability-router/kernel';
import { isLockTimeout } from '@capability-router/service-kit';
import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { checkInvariants } from '../invariants/check-invariants.js';
import { ledgerOutbox } from '../ledger/ledger-outbox.js';
import { Partitions1763700000005 } from '../migrations/0005-partitions.js';
import { bookEntries } from '../test-support/book-entries.js';
import { terminalEvent } from '../test-support/events.js';
import {
  createOlderDatabase,
  createScratchDatabase,
  inTransaction,
  withQueryRunner,
  type OlderDatabase,
  type ScratchDatabase,
} from '../test-support/scratch-database.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { keepPartitionsAhead, MONTHS_AHEAD } from './keep-partitions-ahead.js';
import { readPartitions } from './partitions.sql.js';
import { PartitionMetrics } from './partition-metrics.js';
import { PartitionsTask } from './partitions.task.js';

const DAY_MS = 86_400_000;
const now = Date.now();
const clockAt = (nowMs: number): Clock => ({ nowMs: () => nowMs });
const monthsFromNow = (months: number): number => {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 15);
};

/** One call that has ended, in facts and audit. */
const recordCall = (pool: pg.Pool, nowMs: number): Promise<void> => {
  const end = { executionId: newExecutionId(nowMs), accountId: newAccountId(now), bill: 0n, nowMs };
  return inTransaction(pool, (tx) =>
    projectUsage(tx, [terminalEvent({ ...end, type: 'ExecutionCompleted', success: true })]),
  );
};

const rowsByPartition = async (pool: pg.Pool, table: string): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ partition: string; count: number }>(
    `SELECT tableoid::regclass::text AS partition, count(*)::int FROM ${table} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.partition, row.count]));
};

describe('the migration to partitions', () => {
  let database: OlderDatabase;
  beforeAll(async () => {
    database = await createOlderDatabase(Partitions1763700000005);
  });
  afterAll(() => database.drop());

  it('keeps every row of a database in use as it was, and the chain, the order of reading and the keys go on', async () => {
    const { pool } = database;
    const account = newAccountId(now);
    await bookEntries(pool, account, [5_000_000n, -1_000_000n, -500_000n], now - 40 * DAY_MS);
    const id = uuidv7(now - 40 * DAY_MS);
    await pool.query(
      `INSERT INTO usage_facts (event_id, topic, type, subject, account_id, effective_at, data) VALUES ($1, 't', 'T', 's', $2, now(), '{}')`,
      [id, account],
    );
    await pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded) VALUES ($1, $2, now(), false)`,
      [id, account],
    );
    const snapshot = async (): Promise<unknown[]> => {
      const read = ['usage_events', 'usage_facts', 'ledger_entries'].map((table) =>
        pool.query(`SELECT * FROM ${table} ORDER BY 1`),
      );
      return (await Promise.all(read)).map(({ rows }) => rows);
    };
    const before = await snapshot();

    await database.migrate(Partitions1763700000005);
    expect(await snapshot()).toEqual(before);
    expect(await rowsByPartition(pool, 'ledger_entries')).toEqual({ ledger_entries_first: 3 });

    await database.migrate();
    await bookEntries(pool, account, [-250_000n], now);
    await bookEntries(pool, account, [-250_000n], monthsFromNow(2));
    await untilReadable(pool);
    const { events } = await ledgerOutbox.readAfter(pool, '', 100);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const broken = (await checkInvariants(pool)).map(({ invariant }) => invariant);
    expect(broken.filter((name) => /seq|head|hash|sum of entries/.test(name))).toEqual([]);
    await expect(
      pool.query(`INSERT INTO usage_events (id, account_id, effective_at, recorded) VALUES ($1, 'acc', now(), false)`, [
        id,
      ]),
    ).rejects.toThrow(/duplicate key/);
  });

  it('can be run again where it was cut off, and changes nothing then', async () => {
    const bounds = await readPartitions(database.pool);
    await withQueryRunner(database, (runner) => new Partitions1763700000005().up(runner));
    expect(await readPartitions(database.pool)).toEqual(bounds);
  });

  it('refuses to give a row of the far future a partition by itself', async () => {
    const other = await createOlderDatabase(Partitions1763700000005);
    try {
      await other.pool.query(
        `INSERT INTO usage_events (id, account_id, effective_at, recorded) VALUES ($1, 'acc', now(), false)`,
        [uuidv7(monthsFromNow(40))],
      );
      await expect(other.migrate()).rejects.toThrow(/far future/);
    } finally {
      await other.drop();
    }
  });
});

describe('the partition job', () => {
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase();
  });
  const work = async (test: (pool: pg.Pool) => Promise<void>): Promise<void> => {
    try {
      await test(database.pool);
    } finally {
      await database.drop();
    }
  };

  it('stands months ahead in every table, and adds nothing where it has been', () =>
    work(async (pool) => {
      expect(await keepPartitionsAhead(pool, clockAt(now))).toBeGreaterThan(0);
      expect(await keepPartitionsAhead(pool, clockAt(now))).toBe(0);
      for (const { coveredUntil } of await readPartitions(pool)) {
        expect(coveredUntil.getTime()).toBeGreaterThan(monthsFromNow(MONTHS_AHEAD));
      }
    }));

  it('runs on several replicas at once', () =>
    work(async (pool) => {
      let added = 0;
      // One that waited for another one for too long is told so, and comes again with its next round.
      const round = async (): Promise<void> => {
        const ofThisRound = await keepPartitionsAhead(pool, clockAt(now)).catch((error: unknown) => {
          if (error instanceof AggregateError && error.errors.every(isLockTimeout)) return 0;
          throw error;
        });
        // In a line of its own: `+= await` would add to what the sum was before the wait.
        added += ofThisRound;
      };
      await Promise.all([round(), round(), round()]);
      expect(added).toBeGreaterThan(0);
      await round();
      expect(await keepPartitionsAhead(pool, clockAt(now))).toBe(0);
    }));

  it('puts each row into the partition of the month in its id', () =>
    work(async (pool) => {
      await keepPartitionsAhead(pool, clockAt(now));
      await recordCall(pool, now);
      await recordCall(pool, monthsFromNow(2));
      await recordCall(pool, monthsFromNow(3));
      const names = Object.keys(await rowsByPartition(pool, 'usage_events'));
      expect(names).toHaveLength(3);
      expect(names).not.toContain('usage_events_default');
      expect(Object.keys(await rowsByPartition(pool, 'usage_facts'))).toHaveLength(3);
    }));

  it('loses no row where it has not run for months: the default partition tells, and becomes one of its own', () =>
    work(async (pool) => {
      const at = monthsFromNow(8);
      await recordCall(pool, at);
      const account = newAccountId(now);
      await bookEntries(pool, account, [1_000_000n], at);
      const stray = (await readPartitions(pool)).map(({ strayRows }) => strayRows);
      expect(stray).toEqual([1, 1, 1]);
      const registry = new Registry();
      new PartitionMetrics(registry, pool, clockAt(at));
      expect(await registry.metrics()).toContain('billing_partition_stray_rows{table="ledger_entries"} 1');
      expect(await registry.metrics()).toMatch(/billing_partitions_ahead_seconds\{table="usage_facts"\} -\d+/);

      await keepPartitionsAhead(pool, clockAt(at));
      for (const { strayRows, coveredUntil } of await readPartitions(pool)) {
        expect(strayRows).toBe(0);
        expect(coveredUntil.getTime()).toBeGreaterThan(monthsFromNow(8 + MONTHS_AHEAD));
      }
      expect(Object.values(await rowsByPartition(pool, 'ledger_entries'))).toEqual([1]);
      await bookEntries(pool, account, [-1_000_000n], at + 1);
      const change = `UPDATE ledger_entries SET description = 'x'`;
      await expect(database.owner.query(change)).rejects.toThrow(/append-only/);
      await expect(pool.query(change)).rejects.toThrow(/permission denied/);
    }));

  /** As the guide says. Ends with the calls that came late for it. */
  const detachMonth = async (at: number, late: () => Promise<unknown>): Promise<void> => {
    for (const table of ['usage_events', 'usage_facts']) {
      const month = `${table}_y${new Date(at).getUTCFullYear()}m${String(new Date(at).getUTCMonth() + 1).padStart(2, '0')}`;
      await database.owner.query(`ALTER TABLE ${table} DETACH PARTITION ${month}; DROP TABLE ${month}`);
    }
    await late();
  };
  const stateOf = async (pool: pg.Pool, name: string) =>
    (await readPartitions(pool)).find(({ table }) => table === name);

  it('goes on where a month was detached and a fact of it comes late, and leaves that in the default partition', () =>
    work(async (pool) => {
      const [old, today] = [monthsFromNow(3), monthsFromNow(6)];
      await keepPartitionsAhead(pool, clockAt(today));
      await detachMonth(old, () => recordCall(pool, old));
      expect(await stateOf(pool, 'usage_events')).toMatchObject({ strayRows: 0, lateRows: 1 });
      const logged: { readonly level: number; readonly msg: string }[] = [];
      const logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as (typeof logged)[number]) });
      await new PartitionsTask(pool, clockAt(monthsFromNow(7)), logger).keepAhead();
      expect(logged.map(({ level }) => level)).toEqual([40, 40, 30]);
      expect(logged[0]?.msg).toContain('a month that was detached');
      for (const months of [8, 9]) {
        await keepPartitionsAhead(pool, clockAt(monthsFromNow(months)));
        await recordCall(pool, monthsFromNow(months));
      }
      for (const table of ['usage_events', 'usage_facts']) {
        const rows = await rowsByPartition(pool, table);
        expect([Object.keys(rows).length, rows[`${table}_default`]]).toEqual([3, 1]);
      }
      const registry = new Registry();
      new PartitionMetrics(registry, pool, clockAt(today));
      expect(await registry.metrics()).toContain('billing_partition_stray_rows{table="usage_events"} 0');
      expect(await registry.metrics()).toContain('billing_partition_late_rows{table="usage_events"} 1');
    }));

  it('gives rows of the months to come their partition where late rows of a detached month lie beside them', () =>
    work(async (pool) => {
      const [old, ahead] = [monthsFromNow(3), monthsFromNow(14)];
      await keepPartitionsAhead(pool, clockAt(monthsFromNow(6)));
      await detachMonth(old, () => recordCall(pool, old));
      await recordCall(pool, ahead);
      const read = async (): Promise<unknown> =>
        (
          await pool.query(
            'SELECT u::text, f::text FROM usage_events u JOIN usage_facts f USING (record_seq) ORDER BY u.id',
          )
        ).rows;
      const before = await read();
      expect(await stateOf(pool, 'usage_facts')).toMatchObject({ strayRows: 1, lateRows: 1 });
      await keepPartitionsAhead(pool, clockAt(ahead));
      for (const table of ['usage_events', 'usage_facts']) {
        expect(await stateOf(pool, table)).toMatchObject({ strayRows: 0, lateRows: 1 });
        expect(Object.values(await rowsByPartition(pool, table))).toEqual([1, 1]);
      }
      expect(await read()).toEqual(before);
    }));

  it('leaves what is append-only append-only, in every partition', () =>
    work(async (pool) => {
      await keepPartitionsAhead(pool, clockAt(now));
      for (const at of [now, monthsFromNow(2), monthsFromNow(12)]) {
        await bookEntries(pool, newAccountId(now), [1_000_000n], at);
      }
      const partitions = Object.keys(await rowsByPartition(pool, 'ledger_entries'));
      expect(partitions).toHaveLength(3);
      for (const partition of partitions) {
        for (const change of [
          `UPDATE ${partition} SET amount_micro = 1`,
          `DELETE FROM ${partition}`,
          `TRUNCATE ${partition}`,
        ]) {
          await expect(database.owner.query(change)).rejects.toThrow(/append-only/);
          await expect(pool.query(change)).rejects.toThrow(/permission denied/);
        }
      }
    }));

  it('refuses tables that are none of its own, and times that no clock should show', () =>
    work(async (pool) => {
      for (const [table, until] of [
        ['holds', now],
        ['usage_events', monthsFromNow(40)],
      ] as const) {
        await expect(pool.query('SELECT extend_partitions($1, $2)', [table, new Date(until)])).rejects.toThrow(
          /no partitions/,
        );
      }
    }));
});
