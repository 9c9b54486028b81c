/** Billing with its real HTTP routes on a database with a history. It consumes nothing. */
import { createBillingService, loadBillingConfig } from '@capability-router/billing';
import { EmbeddedEventBus } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { createLogger, createMetrics, generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import type { ReaderJob, ReaderReady } from './reader-job.js';

process.once('message', (job: ReaderJob) => void start(job));

async function start({ billingUrl }: ReaderJob): Promise<void> {
  const logger = createLogger('billing', 'warn');
  const keys = generateInternalKeys();
  const tokens = await InternalTokens.create({
    service: 'billing',
    signingKey: keys.signingKeys.billing,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const service = await createBillingService(loadBillingConfig({ BILLING_DATABASE_URL: billingUrl }), {
    name: 'billing',
    clock: systemClock,
    logger,
    bus: new EmbeddedEventBus({ logger, metrics: {} }),
    tokens,
    clients: createHttpClients(() => undefined, tokens).clients,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1',
  });
  const origin = await service.fastify.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ origin, gatewayKey: keys.signingKeys.gateway, jwks: keys.jwks } satisfies ReaderReady);
}
