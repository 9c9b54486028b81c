import type { Clock } from '@capability-router/kernel';
import type { ProviderAdapter } from '@capability-router/provider-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import { CallModule } from './call/call.module.js';
import { OwnerLease } from './call/journal/owner-lease.js';
import type { ExecutionConfig } from './config.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { ExecuteModule } from './execute/execute.module.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { LookUpModule } from './look-up/look-up.module.js';
import { PayloadsModule } from './payloads/payloads.module.js';
import { BREAKERS, BreakersController, type BreakersContext } from './providers/breakers.controller.js';
import { ProvidersModule } from './providers/providers.module.js';
import { ToolProviders } from './providers/tool-providers.js';
import { RevisionsModule } from './revisions/revisions.module.js';
import {
  BILLING_SERVICE,
  EXECUTION_CLOCK,
  EXECUTION_COMMITTED,
  EXECUTION_CONFIG,
  EXECUTION_LOGGER,
  EXECUTION_METRICS,
  EXECUTION_POOL,
  EXECUTION_PUBLIC_URL,
  LEASE_POOL,
  PROVIDER_REPLACEMENT,
} from './tokens.js';

export interface ExecutionParts {
  readonly pool: pg.Pool;
  /** Of the lease alone. */
  readonly leasePool: pg.Pool;
  readonly clock: Clock;
  readonly config: ExecutionConfig;
  readonly runtime: ServiceRuntime;
  readonly replacement: ProviderAdapter | undefined;
}

/** What the service was given, for every slice. */
@Global()
@Module({})
class PartsModule {
  static with({ pool, leasePool, clock, config, runtime, replacement }: ExecutionParts): DynamicModule {
    const { bus, clients, logger, metrics, publicUrl } = runtime;
    const values: readonly (readonly [symbol, unknown])[] = [
      [EXECUTION_POOL, pool],
      [LEASE_POOL, leasePool],
      [EXECUTION_CLOCK, clock],
      [EXECUTION_CONFIG, config],
      [EXECUTION_LOGGER, logger],
      [EXECUTION_METRICS, metrics],
      [EXECUTION_COMMITTED, () => bus.nudge('execution')],
      [EXECUTION_PUBLIC_URL, publicUrl],
      [BILLING_SERVICE, clients.billing],
      [PROVIDER_REPLACEMENT, replacement],
    ];
    return {
      module: PartsModule,
      providers: values.map(([provide, useValue]) => ({ provide, useValue })),
      exports: values.map(([provide]) => provide),
    };
  }
}

@Module({})
export class ExecutionModule {
  static with(parts: ExecutionParts): DynamicModule {
    return {
      module: ExecutionModule,
      imports: [
        PartsModule.with(parts),
        ExecuteModule,
        CallModule,
        LookUpModule,
        LifecycleModule,
        RevisionsModule,
        PayloadsModule,
        ErasureModule,
        ProvidersModule,
      ],
      // Whose breakers they are is told by the lease, which the slice of the providers does not know.
      controllers: [BreakersController],
      providers: [
        {
          provide: BREAKERS,
          inject: [OwnerLease, ToolProviders],
          useFactory: ({ ownerId }: OwnerLease, providers: ToolProviders): BreakersContext => ({
            replicaId: ownerId,
            breakers: () => providers.breakers(),
          }),
        },
      ],
    };
  }
}
