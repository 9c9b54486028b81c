import { Initial1763700000001 } from './0001-initial.js';
import { HoldOfAnotherAccount1763700000002 } from './0002-hold-of-another-account.js';

/** In order. */
export const migrations = [Initial1763700000001, HoldOfAnotherAccount1763700000002];

/** Tables that the application role can only read and append to. */
export const appendOnlyTables = [
  'ledger_entries',
  'usage_facts',
  'settled_executions',
  'lot_burns',
  'settlement_exceptions',
];
