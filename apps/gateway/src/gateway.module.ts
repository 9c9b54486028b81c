import { ServicePartsModule, type ServiceRuntime } from '@capability-router/service-kit';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AdmissionModule } from './admission/admission.module.js';
import type { GatewayConfig } from './config/gateway-env.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { ForwardModule } from './forward/forward.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { GatewayMetrics } from './metrics.js';
import { PublicRoutes } from './public-routes.js';
import { CLIENTS, TOKENS } from './tokens.js';

/** Gives every slice what the gateway was given beside the parts of every service. */
@Global()
@Module({})
class PartsModule {
  static with({ clients, tokens }: Pick<ServiceRuntime, 'clients' | 'tokens'>): DynamicModule {
    return {
      module: PartsModule,
      providers: [{ provide: CLIENTS, useValue: clients }, { provide: TOKENS, useValue: tokens }, GatewayMetrics],
      exports: [CLIENTS, TOKENS, GatewayMetrics],
    };
  }
}

/** A module for each slice. The gateway has no database, so it is given the other parts of a service alone. */
@Module({})
export class GatewayModule {
  static with(config: GatewayConfig, runtime: ServiceRuntime): DynamicModule {
    const { clock, logger, metrics } = runtime;
    return {
      module: GatewayModule,
      imports: [
        ServicePartsModule.with({ config, clock, logger, metrics }),
        PartsModule.with(runtime),
        LimitsModule,
        CredentialsModule,
        AdmissionModule,
        ForwardModule,
      ],
      providers: [PublicRoutes],
    };
  }
}
