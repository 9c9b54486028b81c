import { openDatabase, ServicePartsModule, type ParkedStore } from '@capability-router/service-kit';
import { loadEnv } from '@capability-router/service-kit/config';
import { executionEnvSpec } from '../config.js';
import { ExecutionConsumersModule } from '../execution-consumers.module.js';
import { migrations } from '../migrations/index.js';

const CONNECTIONS = 2;
/** No key that opens credentials or signs links is needed here. */
const { EXECUTION_DATABASE_URL } = executionEnvSpec;

class ParkedModule {}

/** The parked events of execution, with the handlers that they are handled by again. `env`: its variables. */
export async function openParkedStore(env: NodeJS.ProcessEnv): Promise<ParkedStore> {
  const variables = loadEnv({ EXECUTION_DATABASE_URL }, env);
  // Its clock is the database's, as that of the services: by it an erased account is looked at again.
  const { clock, dataSource, pool } = await openDatabase({
    url: variables.EXECUTION_DATABASE_URL,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'execution-parked',
  });
  return {
    pool,
    handlers: { module: ParkedModule, imports: [ServicePartsModule.with({ clock }), ExecutionConsumersModule] },
    close: () => dataSource.destroy(),
  };
}
