import { Initial1763700000001 } from './0001-initial.js';
import { DeclaredCapabilities1763700000002 } from './0002-declared-capabilities.js';
import { ManagedCapabilities1763700000003 } from './0003-managed-capabilities.js';
import { RoutingEvidence1763700000004 } from './0004-routing-evidence.js';
import { MemoryCopies1763700000005 } from './0005-memory-copies.js';
import { ToolVerifications1763700000006 } from './0006-tool-verifications.js';
import { ToolTerms1763700000007 } from './0007-tool-terms.js';
import { CheapHashCheck1763700000008 } from './0008-cheap-hash-check.js';

/** In the order in which they run. */
export const migrations = [
  Initial1763700000001,
  DeclaredCapabilities1763700000002,
  ManagedCapabilities1763700000003,
  RoutingEvidence1763700000004,
  MemoryCopies1763700000005,
  ToolVerifications1763700000006,
  ToolTerms1763700000007,
  CheapHashCheck1763700000008,
];

/** The application role can add to these and change nothing in them. */
export const appendOnlyTables: readonly string[] = ['events'];
