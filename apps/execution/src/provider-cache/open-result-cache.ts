import type { Clock } from '@capability-router/kernel';
import { openRedis } from '@capability-router/service-kit';
import type { Logger } from 'pino';
import type { ResultCache } from './cached-result.js';
import { MemoryResultCache } from './memory-result-cache.js';
import type { ProviderCacheConfig } from './provider-cache-config.js';
import { RedisResultCache } from './redis-result-cache.js';

export interface OpenResultCache {
  readonly cache: ResultCache;
  close(): void;
}

/** In Redis where there is one, else in this process. */
export function openResultCache(
  { redisUrl, bounds }: ProviderCacheConfig,
  clock: Clock,
  logger: Logger,
): OpenResultCache {
  if (redisUrl === undefined) return { cache: new MemoryResultCache(bounds, clock), close: () => undefined };
  const redis = openRedis(redisUrl, logger, 'execution');
  return { cache: new RedisResultCache(redis, bounds), close: () => redis.disconnect() };
}
