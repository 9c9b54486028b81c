import { Redis } from 'ioredis';
import type { Logger } from 'pino';

const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds for one command: whoever uses Redis here can do without it, and would rather not wait. */
const COMMAND_TIMEOUT_MS = 250;
/** Milliseconds without a word on what was asked after which the connection counts as dead, and another is opened. */
const SILENCE_MS = 3_000;
const MAX_RECONNECT_DELAY_MS = 2_000;

/** A connection that reconnects for ever, also when it died without a word. Its commands fail at once while it is down. */
export function openRedis(url: string, logger: Logger, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  });
  let reported = false;
  redis.on('error', (error: Error) => {
    // One line per outage, not one per attempt.
    if (!reported) logger.warn({ err: error }, 'lost the connection to Redis');
    reported = true;
  });
  redis.on('ready', () => {
    if (reported) logger.info('the connection to Redis is back');
    reported = false;
  });
  return redis;
}
