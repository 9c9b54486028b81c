import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** All rows of all tables of all databases of a data folder, as text, by `database.table`. */
export async function dumpDatabases(dataDir: string): Promise<Map<string, string>> {
  const [, , , port] = readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
  const credentials = JSON.parse(readFileSync(join(dataDir, 'postgres-credentials.json'), 'utf8')) as {
    administrator: string;
  };
  const login = {
    host: '127.0.0.1',
    port: Number(port),
    user: 'capability_router_admin',
    password: credentials.administrator,
  };
  const dump = new Map<string, string>();
  const names = await query(login, 'postgres', 'SELECT datname AS name FROM pg_database WHERE NOT datistemplate');
  for (const database of names) {
    const tables = await query(
      login,
      database,
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const table of tables) {
      dump.set(
        `${database} ${table}`,
        (await query(login, database, `SELECT t::text AS name FROM ${table} t`)).join('\n'),
      );
    }
  }
  return dump;
}

async function query(login: pg.ClientConfig, database: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ ...login, database });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Every file of a folder, as its bytes: results, the log of the database, its tables and its write-ahead log. */
export function* filesOf(folder: string): Generator<readonly [path: string, bytes: Buffer]> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield [path, readFileSync(path)];
  }
}
