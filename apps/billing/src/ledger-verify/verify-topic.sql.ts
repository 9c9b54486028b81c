import { topicNames } from '@capability-router/contracts';
import type { Position } from '@capability-router/event-store';
import type pg from 'pg';

/** Relays of billing, as the bus names them: of the ledger, and of its event table. */
const LEDGER_RELAY = 'billing-relay-ledger';
const EVENT_RELAY = 'billing-relay';

/** The position up to which nothing may be lacking on the topics. Read it before what is compared. */
export async function publishedUpTo(pool: pg.Pool, relay: 'ledger' | 'events'): Promise<Position> {
  const { rows } = await pool.query<{ position: Position }>('SELECT position FROM relay_leases WHERE relay = $1', [
    relay === 'ledger' ? LEDGER_RELAY : EVENT_RELAY,
  ]);
  return rows[0]?.position ?? '';
}

/** Roots whose event the relay has not passed yet. */
export async function unpublishedRoots(pool: pg.Pool, published: Position): Promise<ReadonlySet<number>> {
  const [txOrder = '0', position = '0'] = published === '' ? [] : published.split(':');
  const { rows } = await pool.query<{ sequence: string }>(
    `SELECT sequence FROM events WHERE topic = $1 AND (tx_order, position) > ($2::bigint, $3::bigint)`,
    [topicNames.ledgerRoots, txOrder, position],
  );
  return new Set(rows.map((row) => Number(row.sequence)));
}

/** Those of the account that stand at these places now. */
export async function readEntriesAt(
  pool: pg.Pool,
  accountId: string,
  sequences: readonly bigint[],
): Promise<{ readonly entry_seq: string; readonly entry_id: string; readonly hash: string }[]> {
  const { rows } = await pool.query<{ entry_seq: string; entry_id: string; hash: string }>(
    'SELECT entry_seq, entry_id, hash FROM ledger_entries WHERE account_id = $1 AND entry_seq = ANY($2)',
    [accountId, sequences.map(String)],
  );
  return rows;
}
