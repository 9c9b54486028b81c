import { createKafkaEventBus } from '@capability-router/event-bus/kafka';
import { eventTableSource } from '@capability-router/event-store';
import { createLogger } from '@capability-router/service-kit';
import type { StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporaryStack } from '../stack/temporary-stack.js';
import { stackVersions } from '../stack/versions.js';
import type { SettlementSite } from './measure-settlement.js';

const PROCESSES = 2;
const PUBLISH_TIMEOUT_MS = 120_000;
const POLL_MS = 20;

/** A stack of its own: events come from Kafka, and what billing settles is published by its relays meanwhile. */
export function withStackSite<T>(work: (site: SettlementSite, versions: readonly string[]) => Promise<T>): Promise<T> {
  return withTemporaryStack(async (stack) => {
    const pools = [stack.databases.billing.ownerUrl, stack.databases.execution.ownerUrl].map((connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 4 });
      pool.on('error', () => undefined);
      return pool;
    });
    const [billing, feeder] = pools;
    if (billing === undefined || feeder === undefined) throw new Error('a site needs two databases');
    try {
      const site: SettlementSite = {
        billing,
        feeder,
        job: {
          billingUrl: stack.databases.billing.appUrl,
          feederUrl: stack.databases.execution.appUrl,
          kafkaBrokers: stack.kafkaBrokers,
        },
        processes: PROCESSES,
        postgresPid: stack.parts.postgres.process.pid,
        publish: publisher(stack, feeder),
      };
      return await work(site, await stackVersions(billing));
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });
}

/** Lets a relay publish the feeder's events until all of them are on their topics. */
function publisher(stack: StackState, feeder: pg.Pool): () => Promise<void> {
  let relayed = 0;
  return async () => {
    const { rows } = await feeder.query<{ count: number }>('SELECT count(*)::int AS count FROM events');
    const wanted = rows[0]?.count ?? 0;
    const bus = createKafkaEventBus({
      brokers: [...stack.kafkaBrokers],
      clientId: 'bench-feeder',
      logger: createLogger('execution', 'warn'),
      metrics: {
        eventsRelayed: (_labels, events) => {
          relayed += events;
        },
      },
    });
    bus.publishFrom(feeder, 'execution', [eventTableSource()]);
    await bus.start();
    try {
      const deadlineMs = performance.now() + PUBLISH_TIMEOUT_MS;
      while (relayed < wanted) {
        if (performance.now() > deadlineMs) throw new Error(`${relayed} of ${wanted} events were published in time`);
        await sleep(POLL_MS);
      }
    } finally {
      await bus.stop();
    }
  };
}
