import { horizonSql, parsePosition, type Position, type Queryable } from '@capability-router/event-store';
import { entryColumns, entryTables, type StoredEntryRow } from '../chain/stored-entry.sql.js';

/** An entry and its place in commit order. */
export interface PlacedEntryRow extends StoredEntryRow {
  readonly txOrder: string;
}

/** Entries of finished transactions alone, in commit order. */
const readLogSql = `
SELECT ${entryColumns}, e.tx_order::text AS "txOrder" FROM ${entryTables}
 WHERE (e.tx_order, e.position) > ($1::bigint, $2::bigint) AND e.tx_order < ${horizonSql}
 ORDER BY e.tx_order, e.position LIMIT $3`;

export async function readLog(db: Queryable, after: Position, limit: number): Promise<PlacedEntryRow[]> {
  const { txOrder, position } = parsePosition(after);
  const values = [txOrder.toString(), position.toString(), limit];
  return (await db.query<PlacedEntryRow>({ name: 'read-security-log', text: readLogSql, values })).rows;
}
