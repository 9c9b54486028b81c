import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { API_CONTRACT_VERSION, publicHeaders, type EventEnvelope } from '@capability-router/contracts';
import { EventBroadcastServer, refuseStrayHandlers } from '@capability-router/event-bus';
import {
  answerErrorsPlainly,
  closeApp,
  createServer,
  endInTurn,
  NestLogger,
  PeriodicTasks,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import type { GatewayConfig } from './config/gateway-env.js';
import { RevocationFeed } from './credentials/revocation-feed.js';
import { GatewayModule } from './gateway.module.js';
import { GatewayMetrics } from './metrics.js';
import { PublicRoutes } from './public-routes.js';
import { RequestLog } from './request-log/request-log.js';

/** The public door. Nest makes its parts and hands over what is revoked. Nothing runs until `start`. */
export async function createGatewayService(config: GatewayConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { name, bus, logger, metrics, tracing } = runtime;
  const onSkipped = ({ topic }: EventEnvelope): void => app.get(GatewayMetrics).eventsSkipped.inc({ topic });
  const strategy = new EventBroadcastServer({ bus, logger, onSkipped });
  const app = await NestFactory.createMicroservice(GatewayModule.with(config, runtime), {
    strategy,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  refuseStrayHandlers(app);
  const fastify = createServer({
    service: name,
    isPublic: true,
    logger,
    metrics,
    tracing,
    bodyLimitBytes: config.bodyLimitBytes,
    ...config.listener,
    trustedProxies: config.trustedProxies,
    responseHeaders: { [publicHeaders.apiVersion]: API_CONTRACT_VERSION },
  });
  app.get(RequestLog).mountOn(fastify);
  answerErrorsPlainly(fastify, logger);
  app.get(PublicRoutes).mountOn(fastify);
  const feed = app.get(RevocationFeed);
  fastify.availability.isFit = () => feed.isFit();
  strategy.status.subscribe((status) => feed.heard(status));
  return {
    name,
    fastify,
    ready: () => feed.health(),
    start: async () => {
      await app.listen();
      app.get(PeriodicTasks, { strict: false }).start();
    },
    stop: () => endInTurn([() => fastify.close(), () => closeApp(app)]),
  };
}
