/** @postgres-versions Plans of a table without statistics differ. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planOf } from '@capability-router/event-store/testing';
import type pg from 'pg';
import { readLedgerCsv } from '../ledger/ledger-csv.sql.js';
import { readSettlementHistory } from '../settlement-history/read-settlement-history.sql.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { readUsageCsv } from '../usage-audit/usage-csv.sql.js';
import { readUsageFeed } from '../usage-audit/usage-queries.sql.js';

/** As PostgreSQL 15 prints it, and 18, which says that the sort was ruled out. */
const sortOfOutside = /Sort {2}\(.*\n(?: *Disabled: true\n)? *Sort Key: [^\n]*\n *-> {2}CTE Scan on outside/g;
const ROWS = 20_000;
const PAGE = 101;
const ACCOUNT = 'acc_of_most_rows';
const START = Date.UTC(2026, 3, 1);
const DAY_MS = 86_400_000;

/** Row i was recorded i minutes after the start; every second one is of the account. */
const at = `to_timestamp(${START / 1000} + i * 60)`;
const id = `lpad(to_hex(${START} + i::bigint * 60000), 12, '0') || '7000800000' || lpad(to_hex(i), 10, '0')`;
const account = `CASE i % 2 WHEN 0 THEN '${ACCOUNT}' ELSE 'acc_' || i % 100 END`;
const rowsSql = `FROM generate_series(1, ${ROWS}) AS i`;

/** Gives every statement that reads to `see`, on the connection that ran it. */
function watched(pool: pg.Pool, see: (client: pg.PoolClient, query: pg.QueryConfig) => Promise<void>): pg.Pool {
  const connect = async (): Promise<unknown> => {
    const client = await pool.connect();
    return {
      query: async (query: string | pg.QueryConfig) => {
        if (typeof query !== 'string') await see(client, query);
        return client.query(query as pg.QueryConfig);
      },
      release: () => client.release(),
    };
  };
  // Look-ups by key beside a page are not in its order.
  return { connect, query: pool.query.bind(pool) } as unknown as pg.Pool;
}

describe('pages of tables that were never analysed', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    const { pool } = database;
    // Autovacuum would analyse them, sooner or later.
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relid::regclass::text AS name FROM pg_partition_tree('usage_events') WHERE isleaf
       UNION ALL SELECT relid::regclass::text FROM pg_partition_tree('ledger_entries') WHERE isleaf`,
    );
    for (const { name } of rows) await database.owner.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
    await pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded, record_seq, event_type, success, requested_micro)
       SELECT (${id})::uuid, ${account}, ${at}, true, i, 'search', true, 0 ${rowsSql}`,
    );
    await pool.query(
      `INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro,
         balance_after_micro, source_system, source_ref_type, source_ref_id, description, metadata, effective_at,
         created_at, previous_hash, hash, tx_order)
       SELECT 'led_' || ${id}, ${account}, i, 'consume_tool_execute', -1, ${ROWS} - i + 1, ${ROWS} - i, 'execution', 'execution',
         'exec_' || i, '', '{}', ${at}, ${at}, repeat('0', 64), repeat('0', 64), 1 ${rowsSql}`,
    );
  }, 60_000);
  afterAll(() => database.drop());

  const from = new Date(START + 4 * DAY_MS);
  const before = new Date(START + 9 * DAY_MS);
  const all = { window: {} };
  const range = { beforeSeq: undefined, rows: PAGE };
  const settled = { scope: 'all', ...range } as const;
  it.each<[string, (pool: pg.Pool) => Promise<readonly unknown[]>]>([
    ['the feed of the audit', (pool) => readUsageFeed(pool, ACCOUNT, all, range)],
    ['the feed, deep', (pool) => readUsageFeed(pool, ACCOUNT, all, { ...range, beforeSeq: '900' })],
    ['the feed by dates', (pool) => readUsageFeed(pool, ACCOUNT, { window: { from, before } }, range)],
    ['the export of the audit', (pool) => readUsageCsv(pool, ACCOUNT, all, undefined)],
    ['the export of the ledger', (pool) => readLedgerCsv(pool, ACCOUNT, { ...all, scope: 'all' }, undefined)],
    [
      'its export by dates',
      (pool) => readLedgerCsv(pool, ACCOUNT, { window: { from, before }, scope: 'all' }, undefined),
    ],
    ['the settlement history', (pool) => readSettlementHistory(pool, ACCOUNT, { window: { before }, ...settled })],
    ['and by dates', (pool) => readSettlementHistory(pool, ACCOUNT, { window: { from, before }, ...settled })],
  ])('%s are walked in their order', async (_what, read) => {
    let plan = '';
    const rows = await read(
      watched(database.pool, async (client, query) => {
        plan = await planOf(client, query.text, query.values);
      }),
    );
    expect(rows.length).toBeGreaterThanOrEqual(PAGE);
    expect(plan).toMatch(/Index Scan.*(by_record|record_seq|dense|entry_seq)/);
    // Rows outside of the months of the dates have their own order, and are sorted: a handful, if any.
    expect(plan.replace(sortOfOutside, '')).not.toMatch(/-> {2}Sort|^Sort|Bitmap/);
    // That sort, ruled out, has a price at which PostgreSQL 15 would compile the plan for a second.
    expect(plan).not.toContain('JIT');
  });
});
