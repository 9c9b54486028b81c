import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { API_CONTRACT_VERSION, publicHeaders } from '@capability-router/contracts';
import type { EventEnvelope } from '@capability-router/contracts';
import { EventBroadcastServer, refuseStrayHandlers } from '@capability-router/event-bus';
import { answerErrorsPlainly, createServer, NestLogger } from '@capability-router/service-kit';
import type { RunningService, ServiceRuntime } from '@capability-router/service-kit';
import type { GatewayConfig } from './config/gateway-env.js';
import { GatewayModule } from './gateway.module.js';
import { registerRoutes } from './register-routes.js';
import { RevocationFeed } from './credentials/revocation-feed.js';
import { GATEWAY_METRICS, GATEWAY_PARTS } from './gateway-parts.js';
import type { GatewayParts } from './gateway-parts.js';
import type { GatewayMetrics } from './metrics.js';

/**
 * The public door. Nest wires the parts and hands over what is revoked; the routes are plain Fastify handlers, because what they do is the same for
 * all of them and every layer is paid on each request.
 */
export async function createGatewayService(config: GatewayConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { bus, logger } = runtime;
  const onSkipped = ({ topic }: EventEnvelope): void =>
    app.get<GatewayMetrics>(GATEWAY_METRICS).eventsSkipped.inc({ topic });
  const strategy = new EventBroadcastServer({ bus, logger, onSkipped });
  const app = await NestFactory.createMicroservice(GatewayModule.register(config, runtime), {
    strategy,
    logger: new NestLogger(runtime.logger),
    abortOnError: false,
  });
  refuseStrayHandlers(app);
  const fastify = createServer({
    service: 'gateway',
    logger: runtime.logger,
    metrics: runtime.metrics,
    bodyLimitBytes: config.bodyLimitBytes,
    trustedProxies: config.trustedProxies,
    responseHeaders: { [publicHeaders.apiVersion]: API_CONTRACT_VERSION },
  });
  answerErrorsPlainly(fastify, runtime.logger);
  registerRoutes(fastify, app.get<GatewayParts>(GATEWAY_PARTS));
  const feed = app.get(RevocationFeed);
  fastify.availability.isFit = () => feed.isFit();
  strategy.status.subscribe((status) => feed.heard(status));
  return {
    name: 'gateway',
    fastify,
    ready: () => feed.health(),
    start: async () => {
      await app.listen();
    },
    stop: async () => {
      await fastify.close();
      await app.close();
    },
  };
}
