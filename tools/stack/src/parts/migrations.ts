import { ConfigError, envPrefixOf, migrate, roleOf, wrongDatabaseUrl } from '@capability-router/service-kit';
import type { ServiceWithDatabase } from '../stack-state.js';
import { servicesWithDatabase, type DatabaseUrls } from './databases.js';

/** The `migrations` that every service with a database exports, without loading the service. */
type ServiceSchema = Pick<Parameters<typeof migrate>[0], 'migrations' | 'appendOnlyTables'>;

/** Runs the migrations that each service exports, as the owner of its database. Throws `ConfigError` where its URL is wrong. */
export async function migrateAll(databases: Readonly<Record<ServiceWithDatabase, DatabaseUrls>>): Promise<void> {
  for (const service of servicesWithDatabase) {
    // By name, so that this tool does not have to be compiled after the services.
    const module = (await import(`@capability-router/${service}/migrations`)) as Partial<ServiceSchema>;
    if (module.migrations === undefined) throw new Error(`@capability-router/${service}/migrations exports none`);
    const { ownerUrl, appUrl } = databases[service];
    const { migrations, appendOnlyTables = [] } = module;
    try {
      await migrate({ ownerUrl, applicationRole: roleOf(appUrl), migrations, appendOnlyTables });
    } catch (error) {
      const wrong = wrongDatabaseUrl(error);
      throw wrong === undefined ? error : new ConfigError({ [`${envPrefixOf(service)}_DATABASE_OWNER_URL`]: wrong });
    }
  }
}
