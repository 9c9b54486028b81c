import { Module } from '@nestjs/common';
import type { DynamicModule, OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { openRedis } from '@capability-router/service-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import type { GatewayConfig } from './config/gateway-env.js';
import { CredentialDirectory } from './credentials/credential-directory.js';
import { ReplicaLease } from './credentials/replica-lease.js';
import { RevocationFeed } from './credentials/revocation-feed.js';
import { verifyCredential } from './credentials/verify-credential.js';
import { GATEWAY_CONFIG, GATEWAY_METRICS, GATEWAY_PARTS, RATE_LIMITER, RUNTIME } from './gateway-parts.js';
import type { GatewayParts } from './gateway-parts.js';
import { RejectedCredentials } from './admission/rejected-credentials.js';
import { FallbackRateLimiter } from './limits/fallback-rate-limiter.js';
import { MemoryRateLimiter } from './limits/memory-rate-limiter.js';
import type { RateLimiter } from './limits/rate-limiter.js';
import { RedisRateLimiter } from './limits/redis-rate-limiter.js';
import { createGatewayMetrics } from './metrics.js';
import type { GatewayMetrics } from './metrics.js';

/** Present where limits are shared. */
@Injectable()
class SharedLimits implements OnModuleDestroy {
  readonly redis: Redis | undefined;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig, @Inject(RUNTIME) runtime: ServiceRuntime) {
    this.redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, runtime.logger, 'gateway');
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }
}

@Module({})
export class GatewayModule {
  static register(config: GatewayConfig, runtime: ServiceRuntime): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [RevocationFeed],
      providers: [
        { provide: GATEWAY_CONFIG, useValue: config },
        { provide: RUNTIME, useValue: runtime },
        { provide: GATEWAY_METRICS, useFactory: () => createGatewayMetrics(runtime.metrics) },
        SharedLimits,
        {
          provide: RATE_LIMITER,
          inject: [SharedLimits],
          useFactory: (shared: SharedLimits) => limiterOf(shared, runtime),
        },
        {
          provide: ReplicaLease,
          useFactory: () => {
            const { clients, logger, clock } = runtime;
            return new ReplicaLease({ identity: clients.identity, logger, clock });
          },
        },
        {
          provide: CredentialDirectory,
          inject: [GATEWAY_METRICS, ReplicaLease],
          useFactory: (metrics: GatewayMetrics, lease: ReplicaLease) => directoryOf(config, runtime, metrics, lease),
        },
        {
          provide: GATEWAY_PARTS,
          inject: [CredentialDirectory, RATE_LIMITER, GATEWAY_METRICS],
          useFactory: (credentials: CredentialDirectory, limiter: RateLimiter, metrics: GatewayMetrics) =>
            partsOf(config, runtime, { credentials, limiter, metrics }),
        },
      ],
    };
  }
}

function limiterOf({ redis }: SharedLimits, { clock }: ServiceRuntime): RateLimiter {
  const local = new MemoryRateLimiter(clock);
  return redis === undefined ? local : new FallbackRateLimiter(new RedisRateLimiter(redis), local, () => clock.nowMs());
}

function directoryOf(
  config: GatewayConfig,
  runtime: ServiceRuntime,
  metrics: GatewayMetrics,
  lease: ReplicaLease,
): CredentialDirectory {
  return new CredentialDirectory({
    lease,
    clock: runtime.clock,
    cacheMs: config.credentialCacheMs,
    sign: (account) => runtime.tokens.signAssertion(account),
    verify: async (credential) => {
      const account = await verifyCredential(runtime.clients.identity, credential, config.credentialTimeoutMs);
      metrics.credentialLookups.inc({ result: account === undefined ? 'refused' : 'valid' });
      return account;
    },
  });
}

function partsOf(
  config: GatewayConfig,
  { clock, logger, clients }: ServiceRuntime,
  {
    credentials,
    limiter,
    metrics,
  }: { credentials: CredentialDirectory; limiter: RateLimiter; metrics: GatewayMetrics },
): GatewayParts {
  const { rateLimits, callTimeoutMs, upstreamTimeoutMs, streamedBodyLimitBytes, streamIdleTimeoutMs } = config;
  return {
    admission: {
      credentials,
      rejected: new RejectedCredentials(limiter, config.invalidKeyLimit, clock),
      limiter,
      rateLimits,
      clock,
      logger,
      metrics,
    },
    forward: {
      clients,
      clock,
      logger,
      metrics,
      callTimeoutMs,
      upstreamTimeoutMs,
      streamedBodyLimitBytes,
      streamIdleTimeoutMs,
    },
  };
}
