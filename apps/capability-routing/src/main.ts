import { runService } from '@capability-router/service-kit';
import {
  appendOnlyTables,
  capabilityRoutingEnvSpec,
  createCapabilityRoutingService,
  loadCapabilityRoutingConfig,
  migrations,
} from './index.js';

await runService({
  name: 'capability-routing',
  variables: capabilityRoutingEnvSpec,
  loadConfig: loadCapabilityRoutingConfig,
  create: createCapabilityRoutingService,
  migrations,
  appendOnlyTables,
});
