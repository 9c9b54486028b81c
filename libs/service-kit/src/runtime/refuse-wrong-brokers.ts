import type { ContextName } from '@capability-router/contracts';
import type { KafkaConnection } from '@capability-router/event-bus/kafka';
import type { Logger } from 'pino';
import type { KafkaConfig } from '../config/kafka-env.js';
import { wantedTopics, wrongBrokers } from './wrong-brokers.js';

/** Milliseconds between two looks at brokers that were away when the service started. */
const NEXT_LOOK_MS = 5_000;

/**
 * Looks at the brokers before anything is subscribed. Brokers that are away, and topics that nobody has made yet, are waited for by
 * the bus, and looked at again until they are there: a fault that shows by then is logged.
 *
 * @throws ConfigError where the certificate, the user or the topics are wrong
 */
export async function refuseWrongBrokers(
  service: ContextName,
  connection: KafkaConnection,
  values: KafkaConfig,
  logger: Logger,
): Promise<void> {
  const { lookAtBrokers } = await import('@capability-router/event-bus/kafka');
  const wanted = wantedTopics(service, values);
  const look = () => lookAtBrokers({ ...connection, clientId: service, logger }, wanted);
  const first = await look();
  const wrong = wrongBrokers(first, values);
  if (wrong !== undefined) throw wrong;
  if (first.state === 'ok') return;
  const advice =
    first.state === 'missing' ? 'run prepare, which makes topics' : 'start the brokers, or correct KAFKA_BROKERS';
  logger.warn(`the service is not ready without its topics: ${first.reason}; ${advice}`);
  const again = async (): Promise<void> => {
    const next = await look();
    const fault = wrongBrokers(next, values);
    if (fault !== undefined) logger.error(fault.message);
    else if (next.state !== 'ok') lookLater();
  };
  const lookLater = (): void => void setTimeout(() => void again(), NEXT_LOOK_MS).unref();
  lookLater();
}
