import type { Clock } from '@capability-router/kernel';
import type { ServiceClients } from '@capability-router/service-kit';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { AccountCommandsController } from './admin-commands/account-commands.controller.js';
import type { BillingConfig } from './config.js';
import { billingConsumers } from './consumers.js';
import { CreditsController } from './credits/credits.controller.js';
import { ExportSlots } from './csv-export/export-slots.js';
import { ExceptionsController } from './exceptions/exceptions.controller.js';
import { GrantsController } from './grants/grants.controller.js';
import { HoldGroups } from './holds/hold-groups.js';
import { HoldsController } from './holds/holds.controller.js';
import { UsageImportController } from './imports/usage-import.controller.js';
import { LedgerExportController } from './ledger/ledger-export.controller.js';
import { LedgerController } from './ledger/ledger.controller.js';
import type { BillingMetrics } from './metrics.js';
import { ReadinessController } from './readiness/readiness.controller.js';
import { CompleteRanges } from './settlement-history/complete-ranges.js';
import { SettlementHistoryController } from './settlement-history/settlement-history.controller.js';
import { SettlementOfExecutionController } from './settlement-of-execution/settlement-of-execution.controller.js';
import { billingTasks } from './tasks.js';
import {
  BILLING_CLIENTS,
  BILLING_CLOCK,
  BILLING_COMMITTED,
  BILLING_CONFIG,
  BILLING_LOGGER,
  BILLING_METRICS,
  BILLING_POOL,
} from './tokens.js';
import { CreditsSpentController } from './usage-audit/credits-spent.controller.js';
import { PayloadReader } from './usage-audit/payload-reader.js';
import { UsageExportController } from './usage-audit/usage-export.controller.js';
import { UsageFeedController } from './usage-audit/usage-feed.controller.js';
import { UsageController } from './usage-audit/usage.controller.js';

@Module({})
class BillingModule {}

export function billingModule(parts: {
  pool: pg.Pool;
  clock: Clock;
  config: BillingConfig;
  clients: ServiceClients;
  metrics: BillingMetrics;
  logger: Logger;
  committed: () => void;
}): DynamicModule {
  return {
    module: BillingModule,
    // Static paths stand before `:eventId` and `:entryId`.
    controllers: [
      HoldsController,
      SettlementOfExecutionController,
      CreditsController,
      ReadinessController,
      LedgerExportController,
      SettlementHistoryController,
      UsageFeedController,
      UsageExportController,
      CreditsSpentController,
      LedgerController,
      UsageController,
      AccountCommandsController,
      GrantsController,
      ExceptionsController,
      UsageImportController,
      ...billingConsumers,
    ],
    providers: [
      ...billingTasks,
      PayloadReader,
      ExportSlots,
      { provide: HoldGroups, useValue: new HoldGroups(parts.pool) },
      { provide: CompleteRanges, useValue: new CompleteRanges(parts.pool, parts.clock) },
      { provide: BILLING_POOL, useValue: parts.pool },
      { provide: BILLING_CLOCK, useValue: parts.clock },
      { provide: BILLING_CONFIG, useValue: parts.config },
      { provide: BILLING_CLIENTS, useValue: parts.clients },
      { provide: BILLING_METRICS, useValue: parts.metrics },
      { provide: BILLING_LOGGER, useValue: parts.logger },
      { provide: BILLING_COMMITTED, useValue: parts.committed },
    ],
  };
}
