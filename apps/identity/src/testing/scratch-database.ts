import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { appendOnlyTables, migrations } from '../migrations/index.js';

export type { ScratchDatabase } from '@capability-router/service-kit/testing';

/** Databases with this service's schema, under the superuser; `applicationUrl` is what the service itself gets. */
export const { createScratchDatabase, applicationUrl } = scratchDatabasesOf({
  service: 'identity',
  migrations,
  appendOnlyTables,
  as: 'superuser',
  poolSize: 20,
});
