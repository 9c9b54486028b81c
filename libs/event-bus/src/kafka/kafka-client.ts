import { Kafka, logLevel, type LogEntry, Partitioners, type Producer } from 'kafkajs';
import type { BusLogger } from '../logger.js';
import { patchIdleTimer } from './kafkajs-timer-patch.js';

const CONNECTION_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The markers of a transaction are written after it answers; the next one meets them for a few milliseconds. */
const transactionalRetry = { initialRetryTime: 5, multiplier: 1.6, factor: 0.2, maxRetryTime: 1_000, retries: 15 };

export function createKafka(options: { brokers: string[]; clientId: string; logger: BusLogger }): Kafka {
  if (!patchIdleTimer()) options.logger.warn({}, 'kafkajs looks different: its idle timer is not patched');
  // Our default partitioner is that of the Java client; the warning is for those who come from kafkajs 1.
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  return new Kafka({
    brokers: options.brokers,
    clientId: options.clientId,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => log(options.logger, entry),
  });
}

/** kafkajs reports as errors what it then retries itself; whoever gives up in the end logs an error of its own. */
function log(logger: BusLogger, { level, namespace, log: { message, timestamp: _, ...details } }: LogEntry): void {
  const passing = /concurrent operation|group is rebalancing|coordinator is (?:loading|not)|Limiting retries/i;
  const text = `${namespace}: ${message}`;
  const retried = namespace === 'Connection' || namespace === 'BrokerPool' || level > logLevel.WARN;
  if (retried || passing.test(`${message} ${String(details['error'] ?? '')}`)) logger.debug(details, text);
  else logger.warn(details, text);
}

/** Fences every earlier producer of the same transactional id as soon as it connects. */
export function createTransactionalProducer(kafka: Kafka, transactionalId: string): Producer {
  return kafka.producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: transactionalRetry,
  });
}

export function createPlainProducer(kafka: Kafka): Producer {
  return kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
}
