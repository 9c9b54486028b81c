import 'reflect-metadata';
import { connectEventHandlers, type EventBatchServerOptions } from '@capability-router/event-bus';
import { internalHeaders } from '@capability-router/contracts';
import { NestFactory } from '@nestjs/core';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '../observability/nest-logger.js';
import type { InternalTokens } from '../tokens/internal-tokens.js';
import { PeriodicTasksModule } from '../periodic/periodic-tasks.module.js';
import { AppErrorFilter } from './app-error.filter.js';
import { AllowCallersGuard, identifyCallers } from './caller-identity.js';
import { createServer, type ServerOptions } from './server.js';

export interface NestAppOptions extends ServerOptions {
  /** Checks the tokens of callers; every route must carry `@AllowCallers`. */
  readonly tokens: InternalTokens;
  /** Where the module's event handlers read. Absent where routes are wanted alone: they are not subscribed. */
  readonly events?: EventBatchServerOptions;
}

@Module({})
class ServiceModule {}

/**
 * An initialised application that does not listen yet; its event handlers are subscribed and read once the bus is started,
 * its `PeriodicTasks` wait to be started.
 * Its Fastify instance is `app.getHttpAdapter().getInstance()`.
 */
export async function createNestApp(
  module: Type<unknown> | DynamicModule,
  options: NestAppOptions,
): Promise<NestFastifyApplication> {
  const responseHeaders = { ...options.responseHeaders, [internalHeaders.answeredBy]: options.service };
  const server = createServer({ ...options, responseHeaders });
  identifyCallers(server, options.tokens, options.logger);
  const root = { module: ServiceModule, imports: [module, PeriodicTasksModule.with(options)] };
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(server), {
    logger: new NestLogger(options.logger),
    // Fastify's own JSON parser stays in charge.
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new AppErrorFilter(options.logger));
  app.useGlobalGuards(new AllowCallersGuard());
  await app.init();
  if (options.events !== undefined) await connectEventHandlers(app, options.events);
  return app;
}
