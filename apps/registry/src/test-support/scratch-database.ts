import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { appendOnlyTables, migrations } from '../migrations/index.js';

export type { ScratchDatabase } from '@capability-router/service-kit/testing';

/** Databases with the schema of the registry. */
export const { createScratchDatabase } = scratchDatabasesOf({
  service: 'registry',
  migrations,
  appendOnlyTables,
});
