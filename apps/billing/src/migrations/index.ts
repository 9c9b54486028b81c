import { Initial1763700000001 } from './0001-initial.js';
import { HoldOfAnotherAccount1763700000002 } from './0002-hold-of-another-account.js';
import { AccountErasure1763700000003 } from './0003-account-erasure.js';
import { Budgets1763700000004 } from './0004-budgets.js';

/** In order. */
export const migrations = [
  Initial1763700000001,
  HoldOfAnotherAccount1763700000002,
  AccountErasure1763700000003,
  Budgets1763700000004,
];

/** Tables that the application role can only read and append to. */
export const appendOnlyTables = [
  'ledger_entries',
  'usage_facts',
  'settled_executions',
  'lot_burns',
  'settlement_exceptions',
];
