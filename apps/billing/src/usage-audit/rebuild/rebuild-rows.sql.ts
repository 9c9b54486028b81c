import type pg from 'pg';
import { readInOrder } from '../../queries/read-in-order.sql.js';
import { unlessRevised } from '../../revisions/revised-outcomes.sql.js';
import {
  factColumns,
  keyColumns,
  usageColumns,
  type FactColumn,
  type KeyColumn,
  type SettlementColumn,
  type UsageRow,
} from '../domain/usage-columns.js';
import { arrayLiteral } from './array-literal.js';
import type { FactRow } from './rebuild-rows.js';

/** The columns with texts of callers and providers, and what the erasure of an account leaves of each. */
const erased: Readonly<Partial<Record<FactColumn, string>>> = {
  session_id: 'NULL',
  model: 'NULL',
  error_message: 'NULL',
  user_message: 'NULL',
  search_id: `CASE WHEN r.search_id ~ '^srch_[0-9a-f]{32}$' THEN r.search_id END`,
  tool_id: 'CASE WHEN r.provider_id IS NOT NULL THEN r.tool_id END',
};
const factValue = (column: FactColumn): string =>
  erased[column] === undefined
    ? `r.${column}`
    : `CASE WHEN e.account_id IS NULL THEN r.${column} ELSE ${erased[column]} END`;

/** The columns that settlement and refunds add to the row, from the tables in which billing keeps them for ever. */
const settlementColumns: Readonly<Record<SettlementColumn, string>> = {
  settlement_status: 's.status',
  settled_micro: 's.settled_micro',
  covered_micro: 'COALESCE(s.covered_micro, 0)',
  ledger_entry_id: 's.ledger_entry_id',
  settled_at: 's.settled_at',
  refunded_micro: `COALESCE((SELECT sum(amount_micro) FROM lot_restores WHERE unwound_entry_id = s.ledger_entry_id), 0)::bigint`,
};

const columns = [...factColumns, ...Object.keys(settlementColumns), 'revised_at'];
const values = [
  ...factColumns.map((column) => unlessRevised(column, factValue(column))),
  ...Object.values(settlementColumns),
  'v.revised_at',
];

/** The columns of a row that are sent. */
const sentColumns = [...keyColumns, ...factColumns];
type SentColumn = KeyColumn | FactColumn;

const isJson = (column: SentColumn): boolean => usageColumns[column].type === 'jsonb';
const selected = (column: SentColumn): string => (isJson(column) ? `NULLIF(${column}, 'null') AS ${column}` : column);
const sentSql = sentColumns.map((column, index) =>
  isJson(column)
    ? `jsonb_array_elements($${index + 1}::jsonb)`
    : `unnest($${index + 1}::${usageColumns[column].type}[])`,
);

/**
 * Columns as arrays: PostgreSQL takes half the time for them that it takes for the same rows as JSON. An inspection has
 * no settlement: the search that it names is one that its caller wrote, and may be anybody's.
 */
const upsertSql = `
INSERT INTO usage_events_next AS n (id, account_id, effective_at, recorded, ${columns.join(', ')})
SELECT r.id, r.account_id, r.effective_at, true, ${values.join(', ')}
  FROM (SELECT ${sentColumns.map(selected).join(', ')}
          FROM ROWS FROM (${sentSql.join(', ')}) AS sent (${sentColumns.join(', ')})) AS r
  LEFT JOIN settlements s
    ON s.source_ref_id = r.source_ref_id AND s.account_id = r.account_id AND r.event_type <> 'search_by_ids'
  LEFT JOIN erased_accounts e ON e.account_id = r.account_id
  LEFT JOIN outcome_revisions v ON v.usage_event_id = r.id AND v.account_id = r.account_id
 ORDER BY r.id
ON CONFLICT (id) DO UPDATE SET recorded = true, effective_at = EXCLUDED.effective_at,
       ${columns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}
 WHERE NOT n.recorded OR n.record_seq >= EXCLUDED.record_seq`;

export async function writeRows(tx: pg.PoolClient, rows: readonly UsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Each row finds what belongs to it by a key. A planner that knows little of the tables would read them whole.
  await tx.query('SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off');
  const values = sentColumns.map((column) => {
    const cells = rows.map((row) => row[column]);
    return isJson(column) ? JSON.stringify(cells) : arrayLiteral(cells);
  });
  await tx.query({ name: 'rebuild-usage', text: upsertSql, values });
}

const copiedColumns = ['account_id', 'effective_at', 'recorded', ...columns];
const copySql = `
INSERT INTO usage_events_next (id, ${copiedColumns.join(', ')})
SELECT id, ${copiedColumns.join(', ')} FROM usage_events WHERE id = ANY($1) ORDER BY id
ON CONFLICT (id) DO UPDATE SET ${copiedColumns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`;

/** Rows as they are: those whose fact has not come yet, and those that no fact explains. */
export async function copyRows(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(copySql, [ids]);
}

const factColumnsSql = 'event_id, topic, type, data, record_seq, trace_id';
const firstFactsSql = `SELECT ${factColumnsSql} FROM usage_facts ORDER BY event_id LIMIT $1`;
const factsAfterSql = `SELECT ${factColumnsSql} FROM usage_facts WHERE event_id > $2 ORDER BY event_id LIMIT $1`;

/** In the order of ids, which goes through the partitions one after the other. */
export async function readFacts(owner: pg.Pool, after: string | null, limit: number): Promise<FactRow[]> {
  const [sql, values] = after === null ? [firstFactsSql, [limit]] : [factsAfterSql, [limit, after]];
  return readInOrder<FactRow>(owner, { text: sql, values });
}

/** Facts that there are. */
export async function countFacts(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ facts: string }>('SELECT count(*) AS facts FROM usage_facts');
  return Number(rows[0]?.facts ?? 0);
}

/** A live row and the fact that it was made of, found by what the row has of it. */
const liveRowsSql = `
SELECT l.id, l.recorded, f.event_id, f.topic, f.type, f.data, f.record_seq, f.trace_id
  FROM usage_events l
  LEFT JOIN usage_facts f
    ON l.recorded AND f.account_id = l.account_id AND f.effective_at = l.effective_at AND f.record_seq = l.record_seq
 WHERE l.id = ANY($1)`;

export interface LiveRow extends Omit<FactRow, 'event_id'> {
  readonly id: string;
  readonly recorded: boolean;
  readonly event_id: string | null;
}

export async function readLiveRows(tx: pg.PoolClient, ids: readonly string[]): Promise<LiveRow[]> {
  return (await tx.query<LiveRow>(liveRowsSql, [ids])).rows;
}
