import {
  Kafka,
  type KafkaConfig,
  logLevel,
  type LogEntry,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs';
import type { BusLogger } from '../logger.js';
import type { KafkaConnection, KafkaLogin, KafkaTls } from './kafka-connection.js';
import { patchIdleTimer } from './kafkajs-timer-patch.js';
import { oauthBearer } from './sasl-oauthbearer.js';

const CONNECTION_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The markers of a transaction are written after it answers; the next one meets them for a few milliseconds. */
const transactionalRetry = { initialRetryTime: 5, multiplier: 1.6, factor: 0.2, maxRetryTime: 1_000, retries: 15 };

export interface KafkaClientOptions extends KafkaConnection {
  /** Shown in the broker's logs and metrics, e.g. `billing`. */
  readonly clientId: string;
  readonly logger: BusLogger;
  /** Milliseconds; 5,000 where absent. */
  readonly connectionTimeoutMs?: number;
  /** How often a connection is tried again, and after which pauses; kafkajs's own where absent. */
  readonly retry?: NonNullable<KafkaConfig['retry']>;
}

/** Nothing outside of this package makes a client of its own. */
export function createKafka(options: KafkaClientOptions): Kafka {
  if (!patchIdleTimer()) options.logger.warn({}, 'kafkajs looks different: its idle timer is not patched');
  // Our default partitioner is that of the Java client; the warning is for those who come from kafkajs 1.
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  return new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    ...(options.tls === undefined ? {} : { ssl: asSsl(options.tls) }),
    ...(options.login === undefined ? {} : { sasl: asSasl(options.login) }),
    connectionTimeout: options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS,
    ...(options.retry === undefined ? {} : { retry: options.retry }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => log(options.logger, entry),
  });
}

/** kafkajs reads the members of both with each connection that it opens, so that getters give it what is in the files by then. */
function asSsl({ ca, cert, key }: KafkaTls): NonNullable<KafkaConfig['ssl']> {
  const ssl = {};
  for (const [name, read] of Object.entries({ ca, cert, key })) {
    if (read !== undefined) Object.defineProperty(ssl, name, { enumerable: true, get: read });
  }
  return ssl;
}

function asSasl(login: KafkaLogin): NonNullable<KafkaConfig['sasl']> {
  if (login.mechanism === 'oauthbearer') return oauthBearer(login.token);
  const { mechanism, username } = login;
  // Each mechanism is a type of its own to kafkajs, with the same members.
  const sasl: SASLOptions = {
    mechanism,
    username,
    get password() {
      return login.password();
    },
  };
  return sasl;
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
