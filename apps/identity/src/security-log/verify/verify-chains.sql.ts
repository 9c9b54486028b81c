import type pg from 'pg';
import { entryColumns, entryTables, type StoredEntryRow } from '../chain/stored-entry.sql.js';
import type { ChainHead } from '../chain/append-entries.sql.js';

/** Behind an entry of a chain, in the order of the chains; one chain alone, where one is wanted. */
const nextSql = `
SELECT ${entryColumns} FROM ${entryTables}
 WHERE (e.chain, e.entry_seq) > ($1, $2::bigint) AND ($3::text IS NULL OR e.chain = $3)
 ORDER BY e.chain, e.entry_seq LIMIT $4`;

export async function nextEntries(
  db: pg.ClientBase,
  after: { readonly chain: string; readonly entrySeq: number },
  only: string | undefined,
  limit: number,
): Promise<StoredEntryRow[]> {
  return (await db.query<StoredEntryRow>(nextSql, [after.chain, after.entrySeq, only ?? null, limit])).rows;
}

/** Heads of the chains behind `after` up to `last`; `last` undefined: to the end. */
export async function headsBetween(
  db: pg.ClientBase,
  after: string,
  last: string | undefined,
  only: string | undefined,
): Promise<(ChainHead & { readonly chain: string })[]> {
  const { rows } = await db.query<ChainHead & { chain: string }>(
    `SELECT chain, entry_seq::text AS "entrySeq", last_hash AS "lastHash" FROM security_log_heads
      WHERE chain > $1 AND ($2::text IS NULL OR chain <= $2) AND ($3::text IS NULL OR chain = $3) ORDER BY chain`,
    [after, last ?? null, only ?? null],
  );
  return rows;
}
