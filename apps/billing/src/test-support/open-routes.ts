import type { Clock } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  createNestApp,
  ServicePartsModule,
  type InternalTokens,
} from '@capability-router/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type pg from 'pg';
import { BillingModule } from '../billing.module.js';
import type { BillingConfig } from '../config.js';

/** Billing's routes. It reads no events and asks nobody; its work in the background is not started. */
export function openRoutes(given: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly config: BillingConfig;
  readonly tokens: InternalTokens;
}): Promise<NestFastifyApplication> {
  const { tokens, ...parts } = given;
  const logger = createLogger('billing', 'silent');
  const metrics = createMetrics();
  const imports = [
    ServicePartsModule.with({ ...parts, logger, metrics, committed: () => undefined }),
    BillingModule.with({}),
  ];
  return createNestApp({ module: Routes, imports }, { service: 'billing', logger, metrics, tokens });
}

class Routes {}
