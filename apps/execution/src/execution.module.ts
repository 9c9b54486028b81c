import type { ProviderAdapter } from '@capability-router/provider-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import { CallModule } from './call/call.module.js';
import { ErasureModule } from './erasure/erasure.module.js';
import { ExecutionConsumersModule } from './execution-consumers.module.js';
import { ExecuteModule } from './execute/execute.module.js';
import { ExecutionStart } from './execution-start.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { LookUpModule } from './look-up/look-up.module.js';
import { PayloadsModule } from './payloads/payloads.module.js';
import { PlansModule } from './plans/plans.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { RevisionsModule } from './revisions/revisions.module.js';
import { ToolCopiesModule } from './tool-copies/tool-copies.module.js';
import { TrialCallsModule } from './trial-calls/trial-calls.module.js';
import { EXECUTION_PUBLIC_URL, LEASE_POOL, PROVIDER_REPLACEMENT } from './tokens.js';

export interface ExecutionParts {
  /** Only the lease uses it. */
  readonly leasePool: pg.Pool;
  readonly publicUrl: ServiceRuntime['publicUrl'];
  readonly replacement: ProviderAdapter | undefined;
}

/** The parts that execution was given beside those of every service, for every slice. */
@Global()
@Module({})
class PartsModule {
  static with({ leasePool, publicUrl, replacement }: ExecutionParts): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [LEASE_POOL, leasePool],
      [EXECUTION_PUBLIC_URL, publicUrl],
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
        ExecutionConsumersModule,
        ExecuteModule,
        PlansModule,
        TrialCallsModule,
        CallModule,
        LookUpModule,
        LifecycleModule,
        RevisionsModule,
        PayloadsModule,
        ErasureModule,
        ProvidersModule,
        ToolCopiesModule,
      ],
      providers: [ExecutionStart],
    };
  }
}
