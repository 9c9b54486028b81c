import {
  integer,
  redisConnectionOf,
  type EnvValues,
  type RedisConfig,
  type RedisConnection,
} from '@capability-router/service-kit/config';
import type { CacheBounds } from './cached-result.js';

const KIBIBYTE = 1_024;
const MEBIBYTE = 1_048_576;

export const providerCacheEnvSpec = {
  PROVIDER_CACHE_MAX_ENTRIES: integer({
    desc: 'Results of cacheable tools that are kept; in memory what was used least recently goes first, in Redis what expires soonest.',
    min: 1,
    max: 10_000_000,
    default: 10_000,
  }),
  PROVIDER_CACHE_MAX_BYTES: integer({
    desc: 'Bytes of all kept results together.',
    min: MEBIBYTE,
    max: 64 * KIBIBYTE * MEBIBYTE,
    default: 64 * MEBIBYTE,
  }),
  PROVIDER_CACHE_MAX_ENTRY_BYTES: integer({
    desc: 'Bytes of one kept result; a larger one is asked for again each time.',
    min: KIBIBYTE,
    max: 64 * MEBIBYTE,
    default: MEBIBYTE,
  }),
};

export interface ProviderCacheConfig {
  /** Where replicas keep results together. */
  readonly redis?: RedisConnection;
  readonly bounds: CacheBounds;
}

export function providerCacheConfigOf(
  values: EnvValues<typeof providerCacheEnvSpec> & RedisConfig,
): ProviderCacheConfig {
  const redis = redisConnectionOf(values);
  return {
    ...(redis === undefined ? {} : { redis }),
    bounds: {
      maxEntries: values.PROVIDER_CACHE_MAX_ENTRIES,
      maxBytes: values.PROVIDER_CACHE_MAX_BYTES,
      maxEntryBytes: values.PROVIDER_CACHE_MAX_ENTRY_BYTES,
    },
  };
}
