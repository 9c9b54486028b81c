/** The requests of callers and administrators, as the service judges them: for the description of the interface. */
export { LedgerDatesQuery, LedgerExportQuery, LedgerQuery } from './ledger/ledger.query.js';
export { SettlementHistoryQuery } from './settlement-history/settlement-history.query.js';
export {
  CreditsSpentQuery,
  UsageExportQuery,
  UsageFeedQuery,
  UsageHistoryQuery,
} from './usage-audit/usage-history.query.js';
export { CorrectionRequest } from './corrections/correction.request.js';
export { ExceptionPageQuery, ResolutionRequest } from './exceptions/exception.requests.js';
export { GrantPageQuery, GrantRequest } from './grants/grant.requests.js';
export { MAX_IMPORT_ROWS } from './imports/read-rows.js';
export { ModelCallRow, modelCallDefaults } from './imports/read-model-call.js';
export { AllEntriesQuery } from './ledger/all-entries.query.js';
export { PaymentRefundRequest, RefundRequest } from './refunds/refund.requests.js';
