import { Initial1763700000001 } from './0001-initial.js';

/** In order. */
export const migrations = [Initial1763700000001];

/** Tables that the application role can only read and append to. */
export const appendOnlyTables = [
  'ledger_entries',
  'usage_facts',
  'settled_executions',
  'lot_burns',
  'settlement_exceptions',
];
