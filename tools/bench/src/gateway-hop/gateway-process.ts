/** The real gateway with its settings at their defaults, in front of the stub. */
import { openSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { ContextName } from '@capability-router/contracts';
import { EmbeddedEventBus, type EventBus } from '@capability-router/event-bus';
import { createGatewayService, loadGatewayConfig } from '@capability-router/gateway';
import { systemClock } from '@capability-router/kernel';
import { createLogger, createMetrics, delay, InternalTokens } from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import type { HopJob, Listening, UpstreamUrls } from './hop-process.js';

/** Milliseconds. */
const POLL_MS = 10;

process.once('message', (job: HopJob) => {
  void start(job).then((answer) => process.send?.(answer));
});

async function start({ keys, upstreamUrls, logsRequests }: HopJob): Promise<Listening> {
  const tokens = await InternalTokens.create({
    service: 'gateway',
    signingKey: keys.signingKeys.gateway,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const { clients } = createHttpClients((name) => urlsOf(name, upstreamUrls), tokens);
  const gateway = await createGatewayService(loadGatewayConfig({}), {
    name: 'gateway',
    clock: systemClock,
    logger: logsRequests === true ? createLogger('gateway', 'info', nullDevice()) : createLogger('gateway', 'warn'),
    bus: silentBus(),
    tokens,
    clients,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1',
  });
  await gateway.start();
  // From here on keys are remembered, as in a gateway that runs.
  while (gateway.ready().detail !== 'ready') await delay(POLL_MS);
  await gateway.fastify.listen({ host: '127.0.0.1', port: 0 });
  return { url: `http://127.0.0.1:${(gateway.fastify.server.address() as AddressInfo).port}` };
}

/** Takes each line with a system call of its own, as standard output does. */
function nullDevice(): { write(line: string): void } {
  const file = openSync('/dev/null', 'w');
  return { write: (line) => void writeSync(file, line) };
}

/** A bus on which nothing is ever revoked. */
function silentBus(): EventBus {
  return Object.assign(new EmbeddedEventBus(), {
    broadcastListener: () => ({
      listen: () => Promise.resolve(),
      isReading: () => true,
      close: () => Promise.resolve(),
    }),
  });
}

function urlsOf(name: ContextName, urls: UpstreamUrls | undefined): readonly string[] | undefined {
  const isPlayed = name === 'registry' || name === 'execution' || name === 'identity';
  return isPlayed ? urls && [urls[name]] : undefined;
}
