import type pg from 'pg';
import { compareLedger, isReady, type EntityComparison } from '../readiness/compare-ledger.sql.js';

/** After everything that ever happens. */
const END = new Date('9999-01-01T00:00:00Z');

/** Accounts whose ledger is not what the other records of billing say, with what differs. */
export async function unreadyAccounts(pool: pg.Pool): Promise<Record<string, EntityComparison[]>> {
  const { rows } = await pool.query<{ account_id: string }>('SELECT account_id FROM ledger_heads ORDER BY account_id');
  const unready: Record<string, EntityComparison[]> = {};
  for (const { account_id: accountId } of rows) {
    const different = (await compareLedger(pool, accountId, { before: END })).filter((entity) => !isReady(entity));
    if (different.length > 0) unready[accountId] = different;
  }
  return unready;
}
