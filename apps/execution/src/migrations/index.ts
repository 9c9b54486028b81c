import { Initial1700000000001 } from './0001-initial.js';
import { IdempotencyKeys1700000000002 } from './0002-idempotency-keys.js';
import { ProviderCredentials1700000000003 } from './0003-provider-credentials.js';
import { AccountErasure1700000000008 } from './0008-account-erasure.js';
import { StoredResults1700000000012 } from './0012-stored-results.js';
import { ClosedAccounts1700000000013 } from './0013-closed-accounts.js';

export const migrations = [
  Initial1700000000001,
  IdempotencyKeys1700000000002,
  ProviderCredentials1700000000003,
  AccountErasure1700000000008,
  StoredResults1700000000012,
  ClosedAccounts1700000000013,
];

/** The application role may add to these tables and never change them. */
export const appendOnlyTables: readonly string[] = ['events'];
