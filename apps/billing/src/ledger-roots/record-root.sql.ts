import { horizonSql } from '@capability-router/event-store';
import type pg from 'pg';

/** Whether nobody else is at it, under the advisory lock, and that day has no root yet. */
export async function isMineToRecord(tx: pg.PoolClient, lockKey: number, ledgerDate: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean; done: boolean }>(
    `SELECT pg_try_advisory_xact_lock($1) AS locked, EXISTS (SELECT FROM ledger_roots WHERE ledger_date >= $2) AS done`,
    [lockKey, ledgerDate],
  );
  return rows[0]?.locked === true && !rows[0].done;
}

/** The horizon of commit order, and whether an entry of before `dayEnd` (ISO 8601) is not behind it yet. */
export async function readHorizon(
  tx: pg.PoolClient,
  dayEnd: string,
): Promise<{ readonly cut: string; readonly open: boolean } | undefined> {
  const { rows } = await tx.query<{ cut: string; open: boolean }>(
    `SELECT c.cut, EXISTS (SELECT FROM ledger_entries WHERE tx_order >= c.cut AND created_at < $1) AS open
       FROM (SELECT ${horizonSql} AS cut) AS c`,
    [dayEnd],
  );
  return rows[0];
}

/** The head of each account at the cut: the head row where it has not moved since, else the last entry before the cut. */
const headsAtCutSql = `
SELECT h.account_id, COALESCE(e.entry_seq, h.entry_seq) AS entry_seq, COALESCE(e.hash, h.last_hash) AS hash,
       COALESCE(e.balance_after_micro, h.balance_micro) AS balance, h.last_tx_order >= $3 AND e.entry_seq IS NULL AS later
  FROM (SELECT * FROM ledger_heads WHERE account_id > $1 ORDER BY account_id LIMIT $2) AS h
  LEFT JOIN LATERAL (
    SELECT entry_seq, hash, balance_after_micro FROM ledger_entries
     WHERE h.last_tx_order >= $3 AND account_id = h.account_id AND tx_order < $3
     ORDER BY entry_seq DESC LIMIT 1) AS e ON true
 ORDER BY h.account_id`;

export interface HeadRow {
  readonly account_id: string;
  readonly entry_seq: string;
  readonly hash: string;
  readonly balance: string;
  /** Every entry of the account is behind the cut. */
  readonly later: boolean;
}

/** The next accounts behind `after`, in the order of their ids. */
export async function headsAtCut(tx: pg.PoolClient, after: string, limit: number, cut: string): Promise<HeadRow[]> {
  return (await tx.query<HeadRow>(headsAtCutSql, [after, limit, cut])).rows;
}
