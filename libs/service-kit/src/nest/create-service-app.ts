import type { EventBatchServerOptions } from '@capability-router/event-bus';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Database } from '../database/open-database.js';
import { createNestApp, type NestAppOptions } from '../http/create-nest-app.js';
import type { ServiceRuntime } from '../runtime/service-runtime.js';
import { servicePartsOf } from './service-parts.js';
import { ServicePartsModule } from './service-parts.module.js';

/** A service is created from these. */
export interface ServiceGround {
  readonly config: unknown;
  readonly runtime: ServiceRuntime;
  readonly database: Pick<Database, 'pool' | 'clock'>;
}

export type ServiceAppOptions = Omit<NestAppOptions, 'service' | 'logger' | 'metrics' | 'tokens' | 'events'> & {
  /** Settings of consumer groups, where the deployment decides instead of the handler. */
  readonly groups?: NonNullable<EventBatchServerOptions['settings']>;
};

/** As `createNestApp`, on the database of the service; its providers are given the parts of the service by their tokens. */
export function createServiceApp(
  module: Type<unknown> | DynamicModule,
  { config, runtime, database }: ServiceGround,
  { groups, ...options }: ServiceAppOptions,
): Promise<NestFastifyApplication> {
  const { name: service, bus, logger, metrics, tokens, tracing } = runtime;
  const parts = ServicePartsModule.with(servicePartsOf(config, runtime, database));
  return createNestApp(
    { module: ServiceRoot, imports: [parts, module] },
    {
      ...options,
      service,
      logger,
      metrics,
      tokens,
      tracing,
      events: { bus, pool: database.pool, ...(groups === undefined ? {} : { settings: groups }) },
    },
  );
}

class ServiceRoot {}
