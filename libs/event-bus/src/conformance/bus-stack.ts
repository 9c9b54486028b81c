import { appendToStream, eventTableSource, type NewEvent } from '@capability-router/event-store';
import { createScratchDatabase } from '@capability-router/event-store/testing';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EventBus, EventBusMetrics } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import { tryAll } from './try-all.js';

export interface ReplicaOptions {
  metrics?: EventBusMetrics;
  logger?: BusLogger;
}

/** The parts of a test of the conformance suite: one producer and one consumer database, and a bus to join them. */
export interface BusStack {
  readonly topic: string;
  readonly producer: pg.Pool;
  readonly consumer: pg.Pool;
  /** One more replica, publishing the producer's events; started by the test, stopped by `close`. */
  newReplica(options?: ReplicaOptions): EventBus;
  close(): Promise<void>;
}

export async function createStack(
  topic: string,
  createBus: (options: ReplicaOptions) => EventBus,
  onClose: () => Promise<void> = async () => undefined,
): Promise<BusStack> {
  const producer = await createScratchDatabase();
  const consumer = await createScratchDatabase();
  await consumer.pool.query('CREATE TABLE effects (n SERIAL PRIMARY KEY, event_id UUID, key TEXT, value INT)');
  const replicas: EventBus[] = [];
  return {
    topic,
    producer: producer.pool,
    consumer: consumer.pool,
    newReplica: (options = {}) => {
      const bus = createBus(options);
      bus.publishFrom(producer.pool, 'execution', [eventTableSource()]);
      replicas.push(bus);
      return bus;
    },
    close: () =>
      tryAll([
        () => Promise.all(replicas.map((bus) => bus.stop())),
        onClose,
        () => producer.drop(),
        () => consumer.drop(),
      ]),
  };
}

export const newGroup = (): string => `group-${randomUUID()}`;

/** Appends one event per value to the stream of its key. */
export async function publish(stack: BusStack, key: string, values: readonly number[]): Promise<void> {
  for (const value of values) {
    const event: NewEvent = { type: 'Happened', topic: stack.topic, partitionKey: key, data: { value } };
    await appendToStream(stack.producer, 'execution', `${stack.topic}/${key}`, 'any', [event]);
  }
}
