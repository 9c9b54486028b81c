import { WhereClause } from '../queries/where.sql.js';
import type { LedgerFilter } from './ledger-filter.js';
import { entryTypesOf } from './ledger-scopes.js';

/** Conditions on `ledger_entries AS e`. */
export function ledgerWhere(accountId: string, filter: LedgerFilter): WhereClause {
  const clause = new WhereClause('e.account_id', accountId)
    .and('e.created_at >= ?', filter.window.from)
    .and('e.created_at < ?', filter.window.before)
    .and('e.entry_type = ?', filter.entryType)
    .and('e.entry_type = ANY(?)', entryTypesOf(filter.scope))
    .and('abs(e.amount_micro) >= ?::bigint', filter.credits?.min)
    .and('abs(e.amount_micro) <= ?::bigint', filter.credits?.max);
  return filter.sign === undefined ? clause : clause.require(`e.amount_micro ${filter.sign} 0`);
}
