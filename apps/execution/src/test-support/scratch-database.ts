import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { migrations } from '../migrations/index.js';

export type { ScratchDatabase } from '@capability-router/service-kit/testing';

/** Databases with this build's schema, under the superuser. */
export const { createScratchDatabase } = scratchDatabasesOf({
  service: 'execution',
  migrations,
  as: 'superuser',
  poolSize: 12,
});
