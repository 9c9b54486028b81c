import { runService } from '@capability-router/service-kit';
import { createGatewayService, loadGatewayConfig } from './index.js';

await runService({ name: 'gateway', loadConfig: loadGatewayConfig, create: createGatewayService });
