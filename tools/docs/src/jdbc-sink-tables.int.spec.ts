import { scratchDatabasesOf, type ScratchDatabase } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jdbcSinkConfigurations } from './jdbc-sink.js';

const statements = jdbcSinkConfigurations()['deploy/kafka-connect/tables.sql']?.() ?? '';
/** A finance database has nothing of ours but these tables. Needs `TEST_POSTGRES_URL`. */
const { createEmptyDatabase } = scratchDatabasesOf({ service: 'finance_sink', migrations: [] });

describe('the tables of the JDBC sinks', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  const run = (sql: string): Promise<{ rows: unknown[] }> => database.pool.query(sql);
  const columns = async (): Promise<unknown> =>
    (
      await run(
        `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY table_name, column_name`,
      )
    ).rows;

  it('are brought up to date where an older release made them, and keep their rows', async () => {
    await run(statements);
    const whole = await columns();
    await run(`INSERT INTO balances VALUES ('acc', 5, 1, 'led', now())`);
    await run('ALTER TABLE usage_settlements DROP COLUMN provider_id, DROP COLUMN session_id');
    await run('ALTER TABLE ledger_entries DROP COLUMN lots');
    expect(await columns()).not.toEqual(whole);
    await run(statements);
    expect(await columns()).toEqual(whole);
    expect((await run('SELECT account_id, balance_micro_credits FROM balances')).rows).toEqual([
      { account_id: 'acc', balance_micro_credits: '5' },
    ]);
  });
});
