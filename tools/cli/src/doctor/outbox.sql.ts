import { horizonSql } from '@capability-router/event-store';
import type pg from 'pg';
import { MAX_UNREAD, partsOf } from './flow.sql.js';

/** A table whose rows a relay publishes. */
export interface OutboxTable {
  readonly relay: string;
  readonly table: 'events' | 'ledger_entries' | 'security_log';
  /** The column that says when a row was recorded. */
  readonly recordedAt: 'recorded_at' | 'created_at';
  /** Those of the event table that are published: rows of other topics stay local. */
  readonly topics?: readonly string[];
}

export interface Relay {
  readonly relay: string;
  /** Nobody holds its lease. */
  readonly idle: boolean;
  readonly position: string;
}

export interface Unpublished {
  /** At most `MAX_UNREAD`. */
  readonly events: number;
  /** Seconds that the oldest waits. */
  readonly age: number;
  /** The oldest waits for a transaction that began before it and is open. */
  readonly held: boolean;
}

const relaysSql = `
SELECT relay, expires_at < clock_timestamp() AS idle, position FROM relay_leases ORDER BY relay LIMIT 100`;

const unpublishedSql = ({ table, recordedAt, topics }: OutboxTable): string => `
SELECT count(*)::int AS events, COALESCE(max(EXTRACT(EPOCH FROM clock_timestamp() - at)), 0)::float AS age,
       COALESCE(min(tx_order) >= ${horizonSql}, false) AS held
  FROM (SELECT ${recordedAt} AS at, tx_order FROM ${table}
         WHERE (tx_order, position) > ($1::bigint, $2::bigint)${topics === undefined ? '' : ' AND topic = ANY($3::text[])'}
         ORDER BY tx_order, position LIMIT ${MAX_UNREAD}) AS e`;

export const readRelays = async (pool: pg.Pool): Promise<Relay[]> => (await pool.query<Relay>(relaysSql)).rows;

/** The rows that wait behind a place in the order of commits. */
export async function readUnpublished(pool: pg.Pool, after: string, outbox: OutboxTable): Promise<Unpublished> {
  const { topics } = outbox;
  const values = [...partsOf(after), ...(topics === undefined ? [] : [topics])];
  const { rows } = await pool.query<Unpublished>(unpublishedSql(outbox), values);
  return rows[0] ?? { events: 0, age: 0, held: false };
}
