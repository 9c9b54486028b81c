import { PeriodicTasksModule, ServicePartsModule, type ServiceRuntime } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AdmissionModule } from './admission/admission.module.js';
import type { GatewayConfig } from './config/gateway-env.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { ForwardModule } from './forward/forward.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { GatewayMetrics } from './metrics.js';
import { PublicRoutes } from './public-routes.js';
import { RequestLog } from './request-log/request-log.js';
import { AdmittedChanges } from './security-reports/admitted-changes.js';
import { SecurityReportsTask } from './security-reports/security-reports.task.js';
import { CHALLENGE, CLIENTS, PUBLIC_URL, TOKENS } from './tokens.js';
import { challengeOf } from './well-known/metadata.js';

/** Gives every slice what the gateway was given beside the parts of every service. */
@Global()
@Module({})
class PartsModule {
  static with({ clients, tokens, publicUrl }: Pick<ServiceRuntime, 'clients' | 'tokens' | 'publicUrl'>): DynamicModule {
    return {
      module: PartsModule,
      providers: [
        { provide: CLIENTS, useValue: clients },
        { provide: TOKENS, useValue: tokens },
        { provide: PUBLIC_URL, useValue: publicUrl },
        { provide: CHALLENGE, useValue: challengeOf(publicUrl) },
        GatewayMetrics,
      ],
      exports: [CLIENTS, TOKENS, PUBLIC_URL, CHALLENGE, GatewayMetrics],
    };
  }
}

/** A module for each slice. The gateway has no database, so it is given the other parts of a service alone. */
@Module({})
export class GatewayModule {
  static with(config: GatewayConfig, runtime: ServiceRuntime): DynamicModule {
    const { name: service, clock, logger, metrics } = runtime;
    return {
      module: GatewayModule,
      imports: [
        ServicePartsModule.with({ config, clock, logger, metrics }),
        PartsModule.with(runtime),
        PeriodicTasksModule.with({ service, logger, metrics }),
        LimitsModule,
        CredentialsModule,
        AdmissionModule,
        ForwardModule,
        McpModule,
      ],
      providers: [PublicRoutes, RequestLog, SecurityReportsTask, AdmittedChanges],
    };
  }
}
