import { Initial1763700000001 } from './0001-initial.js';
import { HoldOfAnotherAccount1763700000002 } from './0002-hold-of-another-account.js';
import { AccountErasure1763700000003 } from './0003-account-erasure.js';
import { Budgets1763700000004 } from './0004-budgets.js';
import { Partitions1763700000005 } from './0005-partitions.js';
import { ReadEndpoints1763700000006 } from './0006-read-endpoints.js';
import { Grants1763700000007 } from './0007-grants.js';
import { LedgerRoots1763700000008 } from './0008-ledger-roots.js';
import { Exceptions1763700000009 } from './0009-exceptions.js';
import { ProjectionRebuilds1763700000010 } from './0010-projection-rebuilds.js';
import { HoldsWithoutExpiry1763700000011 } from './0011-holds-without-expiry.js';
import { Settlements1763700000012 } from './0012-settlements.js';
import { ForestalledHolds1763700000013 } from './0013-forestalled-holds.js';
import { DelegationBudgets1763700000014 } from './0014-delegation-budgets.js';
import { Projects1763700000015 } from './0015-projects.js';
import { TraceIds1763700000016 } from './0016-trace-ids.js';
import { LateRows1763700000017 } from './0017-late-rows.js';

/** In order. */
export const migrations = [
  Initial1763700000001,
  HoldOfAnotherAccount1763700000002,
  AccountErasure1763700000003,
  Budgets1763700000004,
  Partitions1763700000005,
  ReadEndpoints1763700000006,
  Grants1763700000007,
  LedgerRoots1763700000008,
  Exceptions1763700000009,
  ProjectionRebuilds1763700000010,
  HoldsWithoutExpiry1763700000011,
  Settlements1763700000012,
  ForestalledHolds1763700000013,
  DelegationBudgets1763700000014,
  Projects1763700000015,
  TraceIds1763700000016,
  LateRows1763700000017,
];

/** Tables that the application role can only read and append to. */
export const appendOnlyTables = [
  'ledger_entries',
  'ledger_roots',
  'usage_facts',
  'settlements',
  // The view of the same rows under their old name.
  'settled_executions',
  'lot_burns',
  'lot_restores',
  'usage_imports',
  'settlement_exceptions',
  'settlement_exception_actions',
  'outcome_revisions',
];
