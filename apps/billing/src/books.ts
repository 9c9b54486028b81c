/** The functions that tools run in billing's database; nothing of them runs in the service. */
export { HoldGroups } from './holds/hold-groups.js';
export { checkInvariants, type InvariantViolation } from './invariants/check-invariants.js';
export { chargeTypes } from './ledger/domain/entry-types.js';
export { recordLedgerRoot } from './ledger-roots/record-root.js';
export type { Finding, FindingKind } from './ledger-verify/findings.js';
export {
  discardRebuild,
  rebuildUsageAudit,
  RebuildRunningError,
  type RebuildReport,
} from './usage-audit/rebuild/rebuild-usage-audit.js';
export { countFacts } from './usage-audit/rebuild/rebuild-rows.sql.js';
export { Spill, type SpilledRow } from './ledger-verify/spill.js';
export type { Topics } from './ledger-verify/verify-topic.js';
export { publishedUpTo } from './ledger-verify/verify-topic.sql.js';
export { countEntries } from './ledger-verify/verify-heads.sql.js';
export { verifyLedger, type VerifyOptions, type VerifyReport } from './ledger-verify/verify-ledger.js';
