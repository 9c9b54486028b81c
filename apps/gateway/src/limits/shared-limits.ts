import { CONFIG, LOGGER, openRedis } from '@capability-router/service-kit';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/gateway-env.js';

/** The connection over which replicas count together; none where each counts for itself. */
@Injectable()
export class SharedLimits implements OnModuleDestroy {
  readonly redis: Redis | undefined;

  constructor(@Inject(CONFIG) { redisUrl }: GatewayConfig, @Inject(LOGGER) logger: Logger) {
    this.redis = redisUrl === undefined ? undefined : openRedis(redisUrl, logger, 'gateway');
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }
}
