import type { OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/gateway-env.js';

/** The connection over which replicas count together; none where each counts for itself. */
export class SharedLimits implements OnModuleDestroy {
  private constructor(readonly redis: Redis | undefined) {}

  /** The client of Redis is loaded only where it is used. */
  static async open({ redisUrl }: Pick<GatewayConfig, 'redisUrl'>, logger: Logger): Promise<SharedLimits> {
    if (redisUrl === undefined) return new SharedLimits(undefined);
    const { openRedis } = await import('@capability-router/service-kit/redis');
    return new SharedLimits(openRedis(redisUrl, logger, 'gateway'));
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }
}
