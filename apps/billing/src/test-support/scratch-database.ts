import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { appendOnlyTables, migrations } from '../migrations/index.js';

export { inTransaction } from '@capability-router/service-kit';
export { withQueryRunner } from '@capability-router/service-kit/testing';
export type { OlderDatabase, ScratchDatabase } from '@capability-router/service-kit/testing';

/** Milliseconds that a list may take in a test that is not about it: however slow the machine. */
export const PATIENT_MS = 30_000;

/** Databases with the schema of billing, or that of an older release, under the application role; or with none. */
export const { createScratchDatabase, createOlderDatabase, createEmptyDatabase } = scratchDatabasesOf({
  service: 'billing',
  migrations,
  appendOnlyTables,
});
