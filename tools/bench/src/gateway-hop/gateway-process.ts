/** The real gateway with its settings at their defaults, in front of the stub. */
import type { AddressInfo } from 'node:net';
import type { ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { createGatewayService, loadGatewayConfig } from '@capability-router/gateway';
import { systemClock } from '@capability-router/kernel';
import { createHttpClients, createLogger, createMetrics, InternalTokens } from '@capability-router/service-kit';
import type { HopJob, Listening, UpstreamUrls } from './hop-process.js';

process.once('message', (job: HopJob) => {
  void start(job).then((answer) => process.send?.(answer));
});

async function start({ keys, upstreamUrls }: HopJob): Promise<Listening> {
  const tokens = await InternalTokens.create({
    service: 'gateway',
    signingKey: keys.signingKeys.gateway,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const { clients } = createHttpClients((name) => urlsOf(name, upstreamUrls), tokens);
  // Not started: the feed of revoked keys is no part of a request's way.
  const gateway = await createGatewayService(loadGatewayConfig({}), {
    name: 'gateway',
    clock: systemClock,
    logger: createLogger('gateway', 'warn'),
    bus: new EmbeddedEventBus(),
    tokens,
    clients,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1',
  });
  await gateway.fastify.listen({ host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${(gateway.fastify.server.address() as AddressInfo).port}` };
}

function urlsOf(name: ContextName, urls: UpstreamUrls | undefined): readonly string[] | undefined {
  return name === 'execution' || name === 'identity' ? urls && [urls[name]] : undefined;
}
