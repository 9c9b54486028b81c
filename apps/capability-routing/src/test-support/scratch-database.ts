import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { appendOnlyTables, migrations } from '../index.js';

export type { ScratchDatabase } from '@capability-router/service-kit/testing';

/** Databases of this service, under the application role, which cannot change the schema. */
export const { createScratchDatabase } = scratchDatabasesOf({
  service: 'capability_routing',
  migrations,
  appendOnlyTables,
  as: 'application',
});
