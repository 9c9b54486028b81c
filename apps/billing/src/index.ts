export { billingEnvSpec, loadBillingConfig, type BillingConfig } from './config.js';
export { createBillingService } from './create-billing-service.js';
export { checkAudit } from './invariants/check-audit.js';
export { checkInvariants, type InvariantViolation } from './invariants/check-invariants.js';
export { appendOnlyTables, migrations } from './migrations/index.js';
