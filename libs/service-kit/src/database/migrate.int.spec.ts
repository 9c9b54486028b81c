/** @postgres-versions Migrations, roles and privileges. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { inTransaction } from '@capability-router/event-store';
import { migrate, roleOf } from './migrate.js';
import { openDatabase } from './open-database.js';

class CreateEntries1700000000000 implements MigrationInterface {
  readonly name = 'CreateEntries1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE entries (id BIGINT GENERATED ALWAYS AS IDENTITY, month INT) PARTITION BY LIST (month)',
    );
    await runner.query('CREATE TABLE entries_1 PARTITION OF entries FOR VALUES IN (1)');
    await runner.query(`CREATE TABLE settings (role TEXT)`);
    await runner.query(`INSERT INTO settings VALUES (current_setting('capability_router.application_role'))`);
  }
  async down(): Promise<void> {
    // Migrations only go forward.
  }
}

class AddNotes1700000000001 implements MigrationInterface {
  readonly name = 'AddNotes1700000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id INT)');
  }
  async down(): Promise<void> {
    // Migrations only go forward.
  }
}

class AlterSettings1700000000002 implements MigrationInterface {
  readonly name = 'AlterSettings1700000000002';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settings ADD COLUMN note TEXT');
  }
  async down(): Promise<void> {
    // Migrations only go forward.
  }
}

describe('migrations and the application role', () => {
  const superUrl = process.env['TEST_POSTGRES_URL'];
  if (superUrl === undefined) throw new Error('TEST_POSTGRES_URL is not set');
  const suffix = randomBytes(4).toString('hex');
  const names = { database: `kit_${suffix}`, owner: `kit_owner_${suffix}`, app: `kit_app_${suffix}` };
  const urlFor = (role: string): string => {
    const url = new URL(superUrl);
    url.username = role;
    url.password = 'secret';
    url.pathname = `/${names.database}`;
    return url.toString();
  };
  const options = {
    ownerUrl: urlFor(names.owner),
    applicationRole: names.app,
    migrations: [CreateEntries1700000000000],
    appendOnlyTables: ['entries'],
  };
  const open = (migrations: (new () => MigrationInterface)[]) =>
    openDatabase({ url: urlFor(names.app), poolSize: 2, migrations, applicationName: 'kit' });
  let admin: pg.Client;

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: superUrl });
    await admin.connect();
    await admin.query(`CREATE ROLE ${names.owner} LOGIN PASSWORD 'secret'`);
    await admin.query(`CREATE ROLE ${names.app} LOGIN PASSWORD 'secret'`);
    await admin.query(`CREATE DATABASE ${names.database} OWNER ${names.owner}`);
  });

  afterAll(async () => {
    await admin.query(`DROP DATABASE ${names.database} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${names.owner}`);
    await admin.query(`DROP ROLE ${names.app}`);
    await admin.end();
  });

  it('refuses to open a database that was never migrated', async () => {
    await expect(open(options.migrations)).rejects.toThrow(/lacks CreateEntries.*migrate command/);
  });

  it('lets two processes migrate at once, and each migration run once', async () => {
    await Promise.all([migrate(options), migrate(options)]);
    const { dataSource, pool } = await open(options.migrations);
    expect((await pool.query('SELECT role FROM settings')).rows).toEqual([{ role: roleOf(urlFor(names.app)) }]);
    await dataSource.destroy();
  });

  it('gives the application role rows but no schema, no migrations, and append-only tables without change', async () => {
    const { dataSource, pool } = await open(options.migrations);
    await pool.query('INSERT INTO entries (month) VALUES (1)');
    await pool.query(`UPDATE settings SET role = 'x'`);
    for (const forbidden of [
      'UPDATE entries SET month = 1',
      'DELETE FROM entries_1',
      'TRUNCATE entries',
      'CREATE TABLE mine (id INT)',
      'DELETE FROM migrations',
      'DROP TABLE settings',
    ]) {
      await expect(pool.query(forbidden)).rejects.toThrow(/permission denied|must be owner/);
    }
    const { rows } = await pool.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '10s' }]);
    await dataSource.destroy();
  });

  it('survives the loss of a connection in a transaction: that one fails, and the next has another connection', async () => {
    const { dataSource, pool } = await open(options.migrations);
    const lost = inTransaction(pool, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const gone = new Promise((resolve) => tx.once('end', resolve));
      await admin.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await gone;
      await tx.query('INSERT INTO entries (month) VALUES (1)');
    });
    await expect(lost).rejects.toThrow(/not queryable/);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await dataSource.destroy();
  });

  it('lets others use a table that it waits for, and alters it when whoever has it is done', async () => {
    const reader = new pg.Client({ connectionString: urlFor(names.app) });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM settings');
    let pending = true;
    const migrated = migrate({ ...options, migrations: [CreateEntries1700000000000, AlterSettings1700000000002] });
    void migrated.finally(() => (pending = false));
    const writer = new pg.Client({ connectionString: urlFor(names.app), statement_timeout: 10_000 });
    await writer.connect();
    const waitsForTable = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE settings%'`;
    while ((await admin.query(waitsForTable)).rowCount === 0) await sleep(20);
    // Behind a migration that waits for ever, this would.
    await writer.query(`INSERT INTO settings VALUES ('y')`);
    expect(pending).toBe(true);
    await reader.query('COMMIT');
    await migrated;
    expect((await writer.query('SELECT note FROM settings')).rowCount).toBeGreaterThan(0);
    await Promise.all([reader.end(), writer.end()]);
  });

  it('refuses a schema older or newer than the build', async () => {
    await expect(open([CreateEntries1700000000000, AddNotes1700000000001])).rejects.toThrow(/lacks AddNotes/);
    const all = [CreateEntries1700000000000, AddNotes1700000000001, AlterSettings1700000000002];
    await migrate({ ...options, migrations: all });
    await expect(open([CreateEntries1700000000000])).rejects.toThrow(/does not know/);
  });
});
