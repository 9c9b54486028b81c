import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A schema that is built once in a cluster and copied for each test. */
export interface Template {
  /** Begins the name of the template: lower case letters and `_`. Templates of one prefix replace each other. */
  readonly prefix: string;
  /** Everything that the schema follows from: another text is another template. */
  readonly fingerprint: string;
  /** Puts the schema into the empty database that the URL of the superuser names, and leaves no connection open. */
  readonly build: (url: string) => Promise<void>;
}

/** Key of the advisory lock; any number, the same in every process that tests. */
const LOCK_KEY = 728_415_002;

/**
 * Creates `database` as a copy of the template, which is built first where the cluster has none of this fingerprint.
 * `client` is connected as the superuser to the database that `clusterUrl` names.
 *
 * Tests in other processes copy at the same time, and PostgreSQL copies no database that is in use: who builds holds
 * the lock alone, who copies shares it. A template is marked as one when it is complete, so what a killed process left
 * behind is never copied; nobody can connect to it from then on.
 */
export async function copyTemplate(
  client: pg.Client,
  clusterUrl: string,
  template: Template,
  database: string,
): Promise<void> {
  const name = templateName(template);
  for (;;) {
    const copied = await locked(client, 'shared', async () => {
      if (!(await isComplete(client, name))) return false;
      // FILE_COPY forces two checkpoints of the whole cluster; WAL_LOG writes a small database's pages to the log.
      await client.query(`CREATE DATABASE ${database} TEMPLATE ${name} STRATEGY WAL_LOG`);
      return true;
    });
    if (copied) return;
    await locked(client, 'exclusive', async () => {
      if (!(await isComplete(client, name))) await build(client, clusterUrl, template, name);
    });
  }
}

function templateName({ prefix, fingerprint }: Template): string {
  return `template_${prefix}_${createHash('sha256').update(fingerprint).digest('hex').slice(0, 16)}`;
}

async function isComplete(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [name]);
  return rowCount === 1;
}

async function build(client: pg.Client, clusterUrl: string, template: Template, name: string): Promise<void> {
  await dropOlder(client, template.prefix);
  await client.query(`CREATE DATABASE ${name}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  await template.build(url.href);
  await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
}

/** A cluster that outlives a change of the schema, as the stack's does, keeps no template of before. */
async function dropOlder(client: pg.Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE datname ~ $1', [
    `^template_${prefix}_[0-9a-f]{16}$`,
  ]);
  for (const { name } of rows) {
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function locked<T>(client: pg.Client, mode: 'shared' | 'exclusive', work: () => Promise<T>): Promise<T> {
  const suffix = mode === 'shared' ? '_shared' : '';
  await client.query(`SELECT pg_advisory_lock${suffix}($1)`, [LOCK_KEY]);
  try {
    return await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock${suffix}($1)`, [LOCK_KEY]);
  }
}
