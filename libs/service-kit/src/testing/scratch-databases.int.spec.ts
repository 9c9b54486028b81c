/** @postgres-versions Privileges come with a copy of a database. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { requireEnvironment, type ScratchDatabase } from '@capability-router/event-store/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { scratchDatabasesOf, withQueryRunner } from './scratch-databases.js';

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
  const migrations = [CreateEntries1700000000000, AddNotes1700000000001];
  const databases = scratchDatabasesOf(schema);
  const newer = scratchDatabasesOf({ ...schema, migrations });
  const made: ScratchDatabase[] = [];
  const keep = <Database extends ScratchDatabase>(database: Database): Database => {
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

  const names = (of: ScratchDatabase) => of.owner.query('SELECT name FROM migrations ORDER BY id');

  it('give the application role its rows, and neither the schema nor a change of what is append-only', async () => {
    // The second copy has the grants of the template too, not only the one that was there when it was built.
    for (const { pool } of [
      keep(await databases.createScratchDatabase()),
      keep(await databases.createScratchDatabase()),
    ]) {
      await pool.query('INSERT INTO entries VALUES (1); INSERT INTO settings VALUES (1); DELETE FROM settings');
      for (const forbidden of ['DELETE FROM entries', 'CREATE TABLE mine (id INT)', 'DROP TABLE settings']) {
        await expect(pool.query(forbidden)).rejects.toThrow(/permission denied|must be owner/);
      }
    }
  });

  it('let the superuser change what the application role cannot', async () => {
    const { pool, owner } = keep(await databases.createScratchDatabase());
    await pool.query('INSERT INTO entries VALUES (1)');
    await owner.query('DELETE FROM entries; CREATE TABLE mine (id INT)');
    expect((await pool.query('SELECT FROM entries')).rowCount).toBe(0);
  });

  it('have the schema of the migrations that are given, also when another list ran in this cluster before', async () => {
    const database = keep(await newer.createScratchDatabase());
    expect((await names(database)).rows).toEqual(migrations.map(({ name }) => ({ name })));
    expect((await database.pool.query('SELECT FROM notes')).rowCount).toBe(0);
  });

  it('can be of a release before, with its privileges, and migrated from there', async () => {
    const older = keep(await newer.createOlderDatabase(AddNotes1700000000001));
    await older.pool.query('INSERT INTO entries VALUES (1); DELETE FROM entries; INSERT INTO entries VALUES (2)');
    expect((await names(older)).rows).toEqual([{ name: CreateEntries1700000000000.name }]);
    await older.migrate(CreateEntries1700000000000);
    expect((await names(older)).rows).toHaveLength(1);
    await older.migrate();
    expect((await names(older)).rows).toEqual(migrations.map(({ name }) => ({ name })));
    await older.pool.query('INSERT INTO notes VALUES (1)');
    await expect(older.pool.query('DELETE FROM entries')).rejects.toThrow('permission denied');
    await expect(databases.createOlderDatabase(AddNotes1700000000001)).rejects.toThrow('is no migration of');
  });

  it('can be migrated by hand', async () => {
    const database = keep(await databases.createScratchDatabase());
    await withQueryRunner(database, (runner) => new AddNotes1700000000001().up(runner));
    await database.pool.query('INSERT INTO notes VALUES (1)');
  });

  it('can be empty', async () => {
    const { pool } = keep(await databases.createEmptyDatabase());
    await pool.query('CREATE TABLE entries (id INT)');
  });
});
