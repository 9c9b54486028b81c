import type { Clock } from '@capability-router/kernel';
import type { ServiceClients } from '@capability-router/service-kit';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from './config.js';
import { CreditsController } from './credits/credits.controller.js';
import { HoldsController } from './holds/holds.controller.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { LaterReleasesController } from './queries/later-releases.controller.js';
import { BILLING_CLIENTS, BILLING_CLOCK, BILLING_CONFIG, BILLING_POOL } from './tokens.js';
import { PayloadReader } from './usage-audit/payload-reader.js';
import { UsageController } from './usage-audit/usage.controller.js';

@Module({})
class BillingModule {}

export function billingModule(parts: {
  pool: pg.Pool;
  clock: Clock;
  config: BillingConfig;
  clients: ServiceClients;
}): DynamicModule {
  return {
    module: BillingModule,
    // Static paths stand before `:eventId` and `:entryId`.
    controllers: [HoldsController, CreditsController, LaterReleasesController, LedgerController, UsageController],
    providers: [
      PayloadReader,
      { provide: BILLING_POOL, useValue: parts.pool },
      { provide: BILLING_CLOCK, useValue: parts.clock },
      { provide: BILLING_CONFIG, useValue: parts.config },
      { provide: BILLING_CLIENTS, useValue: parts.clients },
    ],
  };
}
