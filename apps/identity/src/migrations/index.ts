import { Initial1763700000001 } from './0001-initial.js';
import { AccountErasure1763700000002 } from './0002-account-erasure.js';
import { AccountRegion1763700000003 } from './0003-account-region.js';
import { KeyBudgets1763700000004 } from './0004-key-budgets.js';
import { NarrowedKeys1763700000005 } from './0005-narrowed-keys.js';
import { GatewayReplicas1763700000006 } from './0006-gateway-replicas.js';

/** In the order in which they run. */
export const migrations = [
  Initial1763700000001,
  AccountErasure1763700000002,
  AccountRegion1763700000003,
  KeyBudgets1763700000004,
  NarrowedKeys1763700000005,
  GatewayReplicas1763700000006,
];

/** The application role can add to these and change nothing in them. */
export const appendOnlyTables: readonly string[] = ['events'];
