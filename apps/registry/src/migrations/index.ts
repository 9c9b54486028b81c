import { Initial1763700000001 } from './0001-initial.js';
import { CheapHashChecks1763700000011 } from './0011-cheap-hash-checks.js';
import { RefreshedDefinitions1763700000012 } from './0012-refreshed-definitions.js';
import { CatalogueAdmin1763700000005 } from './0005-catalogue-admin.js';
import { Discovery1763700000002 } from './0002-discovery.js';
import { Sources1763700000006 } from './0006-sources.js';
import { ResultsOfAccount1763700000009 } from './0009-results-of-account.js';
import { StatisticsAndFeedback1763700000004 } from './0004-statistics-and-feedback.js';
import { ToolEmbeddings1763700000007 } from './0007-tool-embeddings.js';
import { ToolVerifications1763700000010 } from './0010-tool-verifications.js';

/** In the order in which they run. */
export const migrations = [
  Initial1763700000001,
  Discovery1763700000002,
  StatisticsAndFeedback1763700000004,
  CatalogueAdmin1763700000005,
  Sources1763700000006,
  ToolEmbeddings1763700000007,
  ResultsOfAccount1763700000009,
  ToolVerifications1763700000010,
  CheapHashChecks1763700000011,
  RefreshedDefinitions1763700000012,
];

/** The application role can add to these and change nothing in them. */
export const appendOnlyTables: readonly string[] = ['events'];
