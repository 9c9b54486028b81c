import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StackState } from '@capability-router/tools-stack';
import pg from 'pg';

type ByName = Readonly<Record<string, number>>;

/** Bytes of tables and of their indexes, and the milliseconds that sessions worked, of one database. */
export interface DatabaseSize {
  readonly heapBytes: number;
  readonly indexBytes: number;
  readonly activeMs: number;
}

const sizeSql = `
SELECT COALESCE(sum(pg_table_size(c.oid)), 0)::float8 AS "heapBytes", COALESCE(sum(pg_indexes_size(c.oid)), 0)::float8 AS "indexBytes",
       (SELECT active_time FROM pg_stat_database WHERE datname = current_database())::float8 AS "activeMs"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm') AND n.nspname = 'public'`;

/** Sizes of the services' databases, by service. */
export async function databaseSizes(stack: StackState): Promise<Record<string, DatabaseSize>> {
  const sizes: Record<string, DatabaseSize> = {};
  for (const [service, { ownerUrl }] of Object.entries(stack.databases))
    sizes[service] = await inDatabase(stack, ownerUrl, async (db) => (await db.query<DatabaseSize>(sizeSql)).rows[0]);
  return sizes;
}

/** Where the write-ahead log stands. */
export const walPosition = (stack: StackState): Promise<string> =>
  inDatabase(
    stack,
    stack.postgresUrl,
    async (db) => (await db.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn')).rows[0]?.lsn,
  );

export const checkpoint = (stack: StackState): Promise<unknown> =>
  inDatabase(stack, stack.postgresUrl, (db) => db.query('CHECKPOINT'));

export interface WalBytes {
  /** Records without the images of pages, by the database that they change; `commits` are those that change no block. */
  readonly records: ByName;
  /** Images of whole pages, the first time that a page changes after a checkpoint. */
  readonly pageImages: number;
}

/**
 * The write-ahead log between two places, by `pg_walinspect`. A record names the blocks that it changes as
 * tablespace/database/relation.
 */
const walSql = `
SELECT COALESCE(d.datname, 'commits') AS name, sum(w.record_length - w.fpi_length)::float8 AS records, sum(w.fpi_length)::float8 AS images
  FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) AS w
  LEFT JOIN pg_database d ON d.oid = substring(w.block_ref FROM 'rel [0-9]+/([0-9]+)/')::oid
 GROUP BY 1`;

export function walBetween(stack: StackState, from: string, to: string): Promise<WalBytes> {
  const serviceOf = new Map(
    Object.entries(stack.databases).map(([service, { ownerUrl }]) => [new URL(ownerUrl).pathname.slice(1), service]),
  );
  return inDatabase(stack, stack.postgresUrl, async (db) => {
    await db.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
    const { rows } = await db.query<{ name: string; records: number; images: number }>(walSql, [from, to]);
    return {
      records: Object.fromEntries(rows.map(({ name, records }) => [serviceOf.get(name) ?? name, records])),
      pageImages: rows.reduce((sum, { images }) => sum + images, 0),
    };
  });
}

/** Bytes of the segments of each topic on the broker's disk. */
export function topicBytes(stack: StackState): Record<string, number> {
  const data = join(stack.directory, 'kafka/data');
  const bytes: Record<string, number> = {};
  for (const folder of readdirSync(data, { withFileTypes: true })) {
    const topic = folder.isDirectory() ? /^(.+)-\d+$/.exec(folder.name)?.[1] : undefined;
    if (topic === undefined) continue;
    for (const file of readdirSync(join(data, folder.name)))
      if (file.endsWith('.log')) bytes[topic] = (bytes[topic] ?? 0) + statSync(join(data, folder.name, file)).size;
  }
  return bytes;
}

/** As the superuser of the cluster, in the database that the address names. */
async function inDatabase<T>(
  stack: StackState,
  address: string,
  work: (db: pg.Client) => Promise<T | undefined>,
): Promise<T> {
  const url = new URL(stack.postgresUrl);
  url.pathname = new URL(address).pathname;
  const db = new pg.Client({ connectionString: url.href });
  await db.connect();
  try {
    const found = await work(db);
    if (found === undefined) throw new Error(`${url.pathname} answered nothing`);
    return found;
  } finally {
    await db.end();
  }
}
