import { Initial1763700000001 } from './0001-initial.js';
import { DeclaredCapabilities1763700000002 } from './0002-declared-capabilities.js';
import { ManagedCapabilities1763700000003 } from './0003-managed-capabilities.js';
import { RoutingEvidence1763700000004 } from './0004-routing-evidence.js';

/** In the order in which they run. */
export const migrations = [
  Initial1763700000001,
  DeclaredCapabilities1763700000002,
  ManagedCapabilities1763700000003,
  RoutingEvidence1763700000004,
];

/** The application role can add to these and change nothing in them. */
export const appendOnlyTables: readonly string[] = ['events'];
