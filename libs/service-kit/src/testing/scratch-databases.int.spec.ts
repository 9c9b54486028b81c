/** @postgres-versions Privileges come with a copy of a database. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { requireEnvironment, type ScratchDatabase } from '@capability-router/event-store/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { scratchDatabasesOf } from './scratch-databases.js';

class CreateEntries1700000000000 implements MigrationInterface {
  readonly name = 'CreateEntries1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE entries (id INT); CREATE TABLE settings (id INT)');
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

describe('databases for tests of a service', () => {
  const service = `kit_${randomBytes(4).toString('hex')}`;
  const schema = { service, migrations: [CreateEntries1700000000000], appendOnlyTables: ['entries'] };
  const asApplication = scratchDatabasesOf({ ...schema, as: 'application' });
  const asSuperuser = scratchDatabasesOf({ ...schema, as: 'superuser' });
  const made: ScratchDatabase[] = [];
  const keep = (database: ScratchDatabase): ScratchDatabase => {
    made.push(database);
    return database;
  };

  afterAll(async () => {
    for (const database of made) await database.drop();
    const admin = new pg.Client({ connectionString: requireEnvironment('TEST_POSTGRES_URL') });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [`template_${service}_%`],
    );
    for (const { name } of rows) {
      await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
      await admin.query(`DROP DATABASE ${name}`);
    }
    await admin.query(`DROP ROLE ${service}_test_application`);
    await admin.end();
  });

  it('give the application role its rows, and neither the schema nor a change of what is append-only', async () => {
    // The second copy has the grants of the template too, not only the one that was there when it was built.
    for (const { pool } of [
      keep(await asApplication.createScratchDatabase()),
      keep(await asApplication.createScratchDatabase()),
    ]) {
      await pool.query('INSERT INTO entries VALUES (1); INSERT INTO settings VALUES (1); DELETE FROM settings');
      for (const forbidden of ['DELETE FROM entries', 'CREATE TABLE mine (id INT)', 'DROP TABLE settings']) {
        await expect(pool.query(forbidden)).rejects.toThrow(/permission denied|must be owner/);
      }
    }
  });

  it('give the superuser the same schema, beside a URL of the application role', async () => {
    const database = keep(await asSuperuser.createScratchDatabase());
    await database.pool.query('INSERT INTO entries VALUES (1); DELETE FROM entries');
    const client = new pg.Client({ connectionString: asSuperuser.applicationUrl(database) });
    await client.connect();
    try {
      await expect(client.query('DELETE FROM entries')).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });

  it('have the schema of the migrations that are given, also when another list ran in this cluster before', async () => {
    const migrations = [CreateEntries1700000000000, AddNotes1700000000001];
    const newer = scratchDatabasesOf({ ...schema, migrations, as: 'superuser' });
    const { pool } = keep(await newer.createScratchDatabase());
    expect((await pool.query('SELECT name FROM migrations ORDER BY id')).rows).toEqual(
      migrations.map(({ name }) => ({ name })),
    );
    expect((await pool.query('SELECT FROM notes')).rowCount).toBe(0);
  });

  it('can be empty', async () => {
    const { pool } = keep(await asApplication.createEmptyDatabase());
    await pool.query('CREATE TABLE entries (id INT)');
  });
});
