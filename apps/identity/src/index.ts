export { awaitGrant } from './accounts/await-grant.js';
export { ensureDemoAccounts } from './bootstrap/ensure-demo-accounts.js';
export type { DemoKeys } from './bootstrap/ensure-demo-accounts.js';
export { identityEnvSpec, loadIdentityConfig } from './config.js';
export type { IdentityConfig } from './config.js';
export { createIdentityService } from './create-identity-service.js';
export { appendOnlyTables, migrations } from './migrations/index.js';
