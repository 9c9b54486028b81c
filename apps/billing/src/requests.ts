/** The requests of callers of the public interface, as the service judges them: for the description of the interface. */
export { LedgerDatesQuery, LedgerExportQuery, LedgerQuery } from './ledger/ledger.query.js';
export { SettlementHistoryQuery } from './settlement-history/settlement-history.query.js';
export {
  CreditsSpentQuery,
  UsageExportQuery,
  UsageFeedQuery,
  UsageHistoryQuery,
} from './usage-audit/usage-history.query.js';
