/** Billing with its real consumers on a scratch database. Its HTTP routes are built and not used. */
import { billingEnvSpec, createBillingService, loadBillingConfig } from '@capability-router/billing';
import { topicNames } from '@capability-router/contracts';
import { EmbeddedEventBus, type EventBus, type EventBusMetrics } from '@capability-router/event-bus';
import { createKafkaEventBus } from '@capability-router/event-bus/kafka';
import { eventTableSource } from '@capability-router/event-store';
import { systemClock } from '@capability-router/kernel';
import { createLogger, createMetrics, generateInternalKeys, InternalTokens } from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import pg from 'pg';
import type { BatchHandled, SettlerJob } from './settler-job.js';

const FEEDER_CONNECTIONS = 4;
/** The sweeper would ask execution about holds; nothing answers here, and no hold is due. */
const SWEEP_INTERVAL_MS = '600000';

process.once('message', (job: SettlerJob) => void start(job));

const now = (): number => performance.timeOrigin + performance.now();
const tell = (message: BatchHandled): void => {
  process.send?.(message);
};

async function start(job: SettlerJob): Promise<void> {
  const logger = createLogger('billing', 'warn');
  const metrics: EventBusMetrics = {
    batchHandled: ({ group }, events) => tell({ group, events, atMs: now() }),
  };
  const bus =
    job.kafkaBrokers === undefined
      ? embedded(new EmbeddedEventBus({ logger, metrics }), job.feederUrl)
      : createKafkaEventBus({ brokers: [...job.kafkaBrokers], clientId: 'bench-billing', logger, metrics });
  const keys = generateInternalKeys();
  const tokens = await InternalTokens.create({
    service: 'billing',
    signingKey: keys.signingKeys.billing,
    jwks: keys.jwks,
    clock: systemClock,
  });
  const config = loadBillingConfig({
    BILLING_DATABASE_URL: job.billingUrl,
    HOLD_SWEEP_INTERVAL_MS: SWEEP_INTERVAL_MS,
  } satisfies Partial<Record<keyof typeof billingEnvSpec, string>>);
  const service = await createBillingService(config, {
    name: 'billing',
    clock: systemClock,
    logger,
    bus: onlyGroups(bus, job.groups),
    tokens,
    clients: createHttpClients(() => undefined, tokens).clients,
    metrics: createMetrics(),
    publicUrl: 'http://127.0.0.1',
  });
  await service.start();
  await bus.start();
  tell({ group: '', events: 0, atMs: now() });
}

function embedded(bus: EmbeddedEventBus, feederUrl: string): EventBus {
  const feeder = new pg.Pool({ connectionString: feederUrl, max: FEEDER_CONNECTIONS });
  bus.publishFrom(feeder, 'identity', [eventTableSource([topicNames.accounts])]);
  bus.publishFrom(feeder, 'execution', [eventTableSource([topicNames.executions])]);
  bus.publishFrom(feeder, 'registry', [eventTableSource([topicNames.searches])]);
  return bus;
}

/** The same bus, on which only some groups of consumers subscribe. */
function onlyGroups(bus: EventBus, groups: readonly string[]): EventBus {
  return {
    subscribeShared: (pool, subscription) =>
      groups.includes(subscription.group) ? bus.subscribeShared(pool, subscription) : { stop: () => Promise.resolve() },
    publishFrom: (pool, source, outboxes) => bus.publishFrom(pool, source, outboxes),
    broadcastListener: () => bus.broadcastListener(),
    start: () => bus.start(),
    stop: () => bus.stop(),
    health: () => bus.health(),
    nudge: (source) => bus.nudge(source),
  };
}
