import * as billing from '@capability-router/billing';
import * as capabilityRouting from '@capability-router/capability-routing';
import * as execution from '@capability-router/execution';
import * as identity from '@capability-router/identity';
import * as registry from '@capability-router/registry';
import { migrate, type MigrationClass } from '@capability-router/service-kit';
import type { EmbeddedPostgres, ServiceWithDatabase } from './embedded-postgres/index.js';

interface Schema {
  readonly migrations: readonly MigrationClass[];
  readonly appendOnlyTables?: readonly string[];
}

const schemas: Readonly<Record<ServiceWithDatabase, Schema>> = {
  identity,
  registry,
  execution,
  'capability-routing': capabilityRouting,
  billing,
};

const databaseServices = Object.keys(schemas) as ServiceWithDatabase[];

/**
 * Brings the database of every service up to this build. Rejects with the first failure, once none of them is under way
 * any more: whoever is told may stop the server.
 */
export async function migrateAll(postgres: EmbeddedPostgres): Promise<void> {
  const migrations = databaseServices.map((name) =>
    migrate({ ownerUrl: postgres.ownerUrl(name), applicationRole: postgres.applicationRole, ...schemas[name] }),
  );
  await Promise.allSettled(migrations);
  await Promise.all(migrations);
}
