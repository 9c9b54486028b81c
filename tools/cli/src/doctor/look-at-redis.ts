import { once } from 'node:events';
import { createLogger } from '@capability-router/service-kit/logger';
import { openRedis } from '@capability-router/service-kit/redis';
import { lookAt, ok, type Finding } from './finding.js';

const CONNECT_TIMEOUT_MS = 3_000;

/** Whether it answers, by the services' own connection. */
export const lookAtRedis = (url: string): Promise<Finding> =>
  lookAt(
    'redis',
    async () => {
      const redis = openRedis(url, createLogger('caprouter', 'silent'), 'caprouter');
      let reason: unknown;
      redis.on('error', (error: Error) => {
        reason = error;
      });
      try {
        await once(redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) }).catch((error: unknown) => {
          throw reason ?? error;
        });
        await redis.ping();
        return ok('redis', 'answers');
      } finally {
        redis.disconnect();
      }
    },
    'Start Redis, or correct REDIS_URL. Without it every replica counts rate limits for itself, and calls go on.',
  );
