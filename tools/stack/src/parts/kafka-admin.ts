import { createKafka, silentLogger, type Admin, type KafkaConnection } from '@capability-router/event-bus/kafka-client';

export type { Admin, KafkaConnection } from '@capability-router/event-bus/kafka-client';

/** Not connected yet. `retries`: of each request; 5 where absent. */
export function openAdmin(connection: KafkaConnection, clientId: string, retries?: number): Admin {
  const retry = retries === undefined ? {} : { retry: { retries } };
  return createKafka({ ...connection, ...retry, clientId, logger: silentLogger }).admin(retry);
}
