import { Cluster, Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { RedisConnection } from '../config/redis-env.js';
import { lookAtRedis } from './look-at-redis.js';
import { following, tlsOptionsOf } from './redis-options.js';
import { wrongRedis } from './wrong-redis.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds for one command: whoever uses Redis here can do without it, and would rather not wait. */
const COMMAND_TIMEOUT_MS = 250;
/** Milliseconds without a word on what was asked after which the connection counts as dead, and another is opened. */
const SILENCE_MS = 3_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** Times that a command follows a cluster that moves its slots, and the pause before each, in milliseconds. */
const CLUSTER_HOPS = 3;
const CLUSTER_PAUSE_MS = 50;

/** Both take the same commands. A script's keys are of one hash slot, or a cluster refuses them. */
export type RedisClient = Redis | Cluster;

/**
 * A connection that reconnects for ever, also when it died without a word, and follows its sentinels and its cluster. Its commands
 * fail at once while it is down. A Redis that is away now is told, and is no reason not to start.
 *
 * @throws ConfigError that names the setting, where Redis refuses the connection: certificate, user, or what it leads to
 */
export async function openRedis(connection: RedisConnection, logger: Logger, name: string): Promise<RedisClient> {
  const look = await lookAtRedis(connection);
  const wrong = wrongRedis(look, connection);
  if (wrong !== undefined) throw wrong;
  if (look.state === 'away') {
    const { place } = connection.settings;
    logger.warn(`Redis is not there, and is tried again: ${look.reason}; start it, or correct ${place}`);
  }
  const redis = clientOf(connection, name);
  let reported = look.state === 'away';
  redis.on('error', (error: Error) => {
    // One line per outage, not one per attempt.
    if (!reported) logger.warn({ err: error }, 'lost the connection to Redis');
    reported = true;
  });
  redis.on('ready', () => {
    if (reported) logger.info('the connection to Redis is back');
    reported = false;
  });
  // The events tell a failure; without the client would not be open.
  void redis.connect().catch(() => undefined);
  return redis;
}

const pauseMs = (attempt: number): number => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS);

function clientOf({ place, login, tls }: RedisConnection, name: string): RedisClient {
  const options = {
    connectionName: name,
    // It takes a right that older servers do not know.
    disableClientInfo: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    ...(tls === undefined ? {} : { tls: tlsOptionsOf(tls) }),
  };
  if (place.kind === 'cluster') {
    return new Cluster([...place.addresses], {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRedirections: CLUSTER_HOPS,
      retryDelayOnFailover: CLUSTER_PAUSE_MS,
      retryDelayOnClusterDown: CLUSTER_PAUSE_MS,
      clusterRetryStrategy: pauseMs,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      // A certificate names hosts, not the addresses that their names stand for.
      dnsLookup: (address, callback) => callback(null, address),
      redisOptions: following(options, { login }),
    });
  }
  const single = {
    ...options,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: pauseMs,
  };
  if (place.kind === 'server') {
    const redis = new Redis({ ...single, ...place.addresses[0], db: place.database });
    following(redis.options, { login });
    return redis;
  }
  const redis = new Redis({
    ...single,
    sentinels: [...place.addresses],
    name: place.master,
    sentinelRetryStrategy: pauseMs,
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    // A master that has become a replica refuses to write, and the sentinels know the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(tls === undefined ? {} : { enableTLSForSentinelMode: true, sentinelTLS: tlsOptionsOf(tls) }),
  });
  following(redis.options, { login, sentinelLogin: place.login });
  return redis;
}
