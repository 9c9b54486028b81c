/** @postgres-versions Copies of databases are made by the server. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase, requireEnvironment, type ScratchDatabase } from './scratch-database.js';
import type { Template } from './template-database.js';

/** Databases that one test makes at the same time. */
const AT_ONCE = 6;

describe('a template database', () => {
  const prefix = `kit_${randomBytes(4).toString('hex')}`;
  const made: ScratchDatabase[] = [];
  let admin: pg.Client;
  let builds = 0;

  const templateWith = (table: string): Template => ({
    prefix,
    fingerprint: table,
    build: async (url) => {
      builds += 1;
      await run(url, `CREATE TABLE ${table} (id INT); INSERT INTO ${table} VALUES (1)`);
    },
  });
  const copyOf = async (template: Template): Promise<ScratchDatabase> => {
    const database = await createDatabase({ prefix, template, poolSize: 1 });
    made.push(database);
    return database;
  };
  const templates = async (): Promise<string[]> => {
    const { rows } = await admin.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [`template_${prefix}_%`],
    );
    return rows.map((row) => row.name);
  };

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: requireEnvironment('TEST_POSTGRES_URL') });
    await admin.connect();
  });
  afterAll(async () => {
    for (const database of made) await database.drop();
    for (const name of await templates()) {
      await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
      await admin.query(`DROP DATABASE ${name}`);
    }
    await admin.end();
  });

  it('is built once for all who ask at the same time, and each gets rows of its own', async () => {
    const template = templateWith('first');
    const databases = await Promise.all(Array.from({ length: AT_ONCE }, () => copyOf(template)));
    expect(builds).toBe(1);
    await databases[0]?.pool.query('DELETE FROM first');
    const counts = databases.map(async ({ pool }) => (await pool.query('SELECT FROM first')).rowCount);
    expect(await Promise.all(counts)).toEqual([0, ...Array.from({ length: AT_ONCE - 1 }, () => 1)]);
  });

  it('is replaced when what it follows from has changed', async () => {
    const [before] = await templates();
    const { pool } = await copyOf(templateWith('second'));
    expect((await pool.query("SELECT to_regclass('first') AS first, to_regclass('second') AS second")).rows).toEqual([
      { first: null, second: 'second' },
    ]);
    const after = await templates();
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
  });

  it('is not copied when the process that built it died before the end', async () => {
    const [complete] = await templates();
    // This is how a build begins: a database of that name, and no mark yet.
    await admin.query(`ALTER DATABASE ${String(complete)} IS_TEMPLATE false`);
    await admin.query(`DROP DATABASE ${String(complete)}`);
    await admin.query(`CREATE DATABASE ${String(complete)}`);
    const { pool } = await copyOf(templateWith('second'));
    expect((await pool.query('SELECT FROM second')).rowCount).toBe(1);
  });

  it('lets nobody in, so that a copy never has to wait for a connection', async () => {
    const [name] = await templates();
    const url = new URL(requireEnvironment('TEST_POSTGRES_URL'));
    url.pathname = `/${String(name)}`;
    await expect(run(url.href, 'SELECT 1')).rejects.toThrow(/not currently accepting connections/);
  });
});

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
