import type { OnModuleDestroy } from '@nestjs/common';
import type { RedisClient } from '@capability-router/service-kit/redis';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/gateway-env.js';

/** The connection over which replicas count together; none where each counts for itself. */
export class SharedLimits implements OnModuleDestroy {
  private constructor(readonly redis: RedisClient | undefined) {}

  /** The client of Redis is loaded only where it is used. */
  static async open({ redis }: Pick<GatewayConfig, 'redis'>, logger: Logger): Promise<SharedLimits> {
    if (redis === undefined) return new SharedLimits(undefined);
    const { openRedis } = await import('@capability-router/service-kit/redis');
    return new SharedLimits(await openRedis(redis, logger, 'gateway'));
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }
}
