import type pg from 'pg';
import { entryColumns, entryTables, type StoredEntryRow } from '../chain/stored-entry.sql.js';

export interface EntryFilter {
  readonly accountId?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** Position of the last entry of the page before. */
  readonly before?: string | undefined;
}

/** The newest first. */
export async function listEntries(pool: pg.Pool, filter: EntryFilter, limit: number): Promise<StoredEntryRow[]> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (condition: string, value: string | Date | undefined): void => {
    if (value !== undefined) conditions.push(condition.replace('?', `$${values.push(value)}`));
  };
  where('e.account_id = ?', filter.accountId);
  where('e.actor_account_id = ?', filter.actor);
  where('e.action = ?', filter.action);
  where('e.recorded_at >= ?', filter.from);
  where('e.recorded_at < ?', filter.to);
  where('e.position < ?::bigint', filter.before);
  const sql = conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
  const { rows } = await pool.query<StoredEntryRow>(
    `SELECT ${entryColumns} FROM ${entryTables} WHERE ${sql} ORDER BY e.position DESC LIMIT ${limit}`,
    values,
  );
  return rows;
}
