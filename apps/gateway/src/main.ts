import { runService } from '@capability-router/service-kit';
import { createGatewayService, gatewayEnvSpec, loadGatewayConfig } from './index.js';

await runService({
  name: 'gateway',
  variables: gatewayEnvSpec,
  loadConfig: loadGatewayConfig,
  create: createGatewayService,
});
