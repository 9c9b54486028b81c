import { Global, Module, type DynamicModule } from '@nestjs/common';
import { BILLING, CLOCK, COMMITTED, CONFIG, LOGGER, METRICS, POOL, type ServiceParts } from './service-parts.js';

/** Gives every provider of an application the parts of its service, by their tokens. A part that is left out cannot be injected. */
@Global()
@Module({})
export class ServicePartsModule {
  static with(parts: Partial<ServiceParts>): DynamicModule {
    const tokens: Readonly<Record<keyof ServiceParts, symbol>> = {
      config: CONFIG,
      pool: POOL,
      clock: CLOCK,
      logger: LOGGER,
      metrics: METRICS,
      billing: BILLING,
      committed: COMMITTED,
    };
    const providers = Object.entries(tokens)
      .map(([part, provide]) => ({ provide, useValue: parts[part as keyof ServiceParts] }))
      .filter(({ useValue }) => useValue !== undefined);
    return { module: ServicePartsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
