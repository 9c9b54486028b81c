import type { Clock } from '@capability-router/kernel';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import type { ResultCache } from './cached-result.js';
import { MemoryResultCache } from './memory-result-cache.js';
import { RedisResultCache } from './redis-result-cache.js';

/** In Redis where there is one, else in this process. */
export class OpenResultCache implements OnApplicationShutdown {
  private constructor(
    readonly cache: ResultCache,
    private readonly close: () => void,
  ) {}

  /** The client of Redis is loaded only where it is used. */
  static async open(
    { providerCache: { redis: connection, bounds } }: Pick<ExecutionConfig, 'providerCache'>,
    clock: Clock,
    logger: Logger,
  ): Promise<OpenResultCache> {
    if (connection === undefined) return new OpenResultCache(new MemoryResultCache(bounds, clock), () => undefined);
    const { openRedis } = await import('@capability-router/service-kit/redis');
    const redis = await openRedis(connection, logger, 'execution');
    return new OpenResultCache(new RedisResultCache(redis, bounds), () => redis.disconnect());
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
