import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, openRedis } from '@capability-router/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import type { ResultCache } from './cached-result.js';
import { MemoryResultCache } from './memory-result-cache.js';
import { RedisResultCache } from './redis-result-cache.js';

/** In Redis where there is one, else in this process. */
@Injectable()
export class OpenResultCache implements OnApplicationShutdown {
  readonly cache: ResultCache;
  private readonly close: () => void;

  constructor(
    @Inject(CONFIG) { providerCache }: Pick<ExecutionConfig, 'providerCache'>,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { redisUrl, bounds } = providerCache;
    const redis = redisUrl === undefined ? undefined : openRedis(redisUrl, logger, 'execution');
    this.cache = redis === undefined ? new MemoryResultCache(bounds, clock) : new RedisResultCache(redis, bounds);
    this.close = () => redis?.disconnect();
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
