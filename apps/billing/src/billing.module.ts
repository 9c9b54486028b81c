import type { ServiceClients } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BackgroundChecksModule } from './background-checks/background-checks.module.js';
import { BillingStart } from './billing-start.js';
import { BillingConsumersModule } from './billing-consumers.module.js';
import { BudgetsModule } from './budgets/budgets.module.js';
import { CorrectionsModule } from './corrections/corrections.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { DailyFreeModule } from './daily-free/daily-free.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { ExceptionsModule } from './exceptions/exceptions.module.js';
import { ExpiryModule } from './expiry/expiry.module.js';
import { GaugesModule } from './gauges/gauges.module.js';
import { GrantsModule } from './grants/grants.module.js';
import { HoldsModule } from './holds/holds.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { LedgerRootsModule } from './ledger-roots/ledger-roots.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { PartitionsModule } from './partitions/partitions.module.js';
import { ReadinessModule } from './readiness/readiness.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { SettlementHistoryModule } from './settlement-history/settlement-history.module.js';
import { SettlementOfExecutionModule } from './settlement-of-execution/settlement-of-execution.module.js';
import { SERVICE_CLIENTS } from './tokens.js';
import { UsageAuditModule } from './usage-audit/usage-audit.module.js';

/** Gives every slice what billing was given beside the parts of every service. */
@Global()
@Module({})
class PartsModule {
  static with(clients: Partial<ServiceClients>): DynamicModule {
    const provided = { provide: SERVICE_CLIENTS, useValue: clients };
    return { module: PartsModule, providers: [provided], exports: [SERVICE_CLIENTS] };
  }
}

/** A module for each slice. The parts that they are made of come from `ServicePartsModule`. */
@Module({})
export class BillingModule {
  /** `clients`: of the services that billing asks, execution and registry. */
  static with(clients: Partial<ServiceClients>): DynamicModule {
    return {
      module: BillingModule,
      imports: [
        PartsModule.with(clients),
        BillingConsumersModule,
        HoldsModule,
        BudgetsModule,
        DailyFreeModule,
        SettlementOfExecutionModule,
        CreditsModule,
        LedgerModule,
        UsageAuditModule,
        ReadinessModule,
        SettlementHistoryModule,
        GrantsModule,
        RefundsModule,
        CorrectionsModule,
        ExpiryModule,
        ExceptionsModule,
        ImportsModule,
        ErasureModule,
        LedgerRootsModule,
        PartitionsModule,
        BackgroundChecksModule,
        GaugesModule,
      ],
      providers: [BillingStart],
    };
  }
}
