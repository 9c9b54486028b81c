import { isIP } from 'node:net';
import {
  ConfigError,
  DEFAULT_BODY_LIMIT_BYTES,
  integer,
  list,
  loadEnv,
  url,
} from '@capability-router/service-kit/config';
import type { RateClass } from '../routes/gateway-route.js';

const MAX_PER_MINUTE = 1_000_000;
const MAX_TIMEOUT_MS = 600_000;
/** Bytes. A body is held in memory while it is forwarded. */
const MAX_BODY_LIMIT_BYTES = 67_108_864;
/** Bytes. What is streamed is never held in memory, so this bounds time and traffic. */
const MAX_STREAMED_BODY_LIMIT_BYTES = 8_589_934_592;
/** Milliseconds; the account assertion is cached with the credential and must outlive the cache. */
const MAX_CREDENTIAL_CACHE_MS = 30_000;

const perMinute = (what: string, limit: number) =>
  integer({ desc: `${what} per minute.`, min: 1, max: MAX_PER_MINUTE, default: limit });
const timeout = (what: string, ms: number) =>
  integer({ desc: `Milliseconds until ${what} must be answered.`, min: 1, max: MAX_TIMEOUT_MS, default: ms });

/** Every variable of the gateway that other services do not share. */
export const gatewayEnvSpec = {
  RATE_LIMIT_DISCOVER: perMinute('Discover requests of one account', 120),
  RATE_LIMIT_INSPECT: perMinute('Inspect requests of one account', 120),
  RATE_LIMIT_PROBE: perMinute('Probe requests of one account', 120),
  RATE_LIMIT_CALL: perMinute('Calls and CAP queries of one account, together', 200),
  RATE_LIMIT_READ: perMinute('Reads of one account (CAP detail, audit, ledger, account, administration)', 600),
  RATE_LIMIT_ANONYMOUS: perMinute('Requests without a credential of one client address', 120),
  RATE_LIMIT_INVALID_KEY: perMinute(
    'Unknown but well-formed keys of one client address (beyond, only keys valid within the last hour pass)',
    300,
  ),
  BODY_LIMIT_BYTES: integer({
    desc: 'Largest request body in bytes; a larger one is answered 413. Services have limits of their own, which this does not raise.',
    min: 1_024,
    max: MAX_BODY_LIMIT_BYTES,
    default: DEFAULT_BODY_LIMIT_BYTES,
  }),
  STREAMED_BODY_LIMIT_BYTES: integer({
    desc: 'Largest body in bytes of a request that is passed on as it comes, such as an import of the catalogue; beyond it, 413.',
    min: 1_024,
    max: MAX_STREAMED_BODY_LIMIT_BYTES,
    default: 1_073_741_824,
  }),
  STREAM_IDLE_TIMEOUT_MS: integer({
    desc: 'Milliseconds for which neither a byte of such a body nor of its answer may move.',
    min: 1,
    max: MAX_TIMEOUT_MS,
    default: 60_000,
  }),
  CALL_TIMEOUT_MS: timeout('a Call or CAP query; longer than the longest tool deadline', 115_000),
  UPSTREAM_TIMEOUT_MS: timeout('every other request', 30_000),
  CREDENTIAL_TIMEOUT_MS: timeout('a credential check', 5_000),
  CREDENTIAL_CACHE_MS: integer({
    desc: 'Milliseconds for which a valid credential is remembered; a revocation removes it at once.',
    min: 0,
    max: MAX_CREDENTIAL_CACHE_MS,
    default: MAX_CREDENTIAL_CACHE_MS,
  }),
  TRUSTED_PROXIES: list({
    desc: 'Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed; none by default.',
    default: undefined,
    example: '10.0.0.0/8,192.168.1.1',
  }),
  REDIS_URL: url(['redis', 'rediss'], {
    desc: 'Redis for rate limits shared by all replicas. Without it each process counts for itself.',
    default: undefined,
    example: 'redis://redis:6379/0',
  }),
};

export interface GatewayConfig {
  /** Requests per minute. */
  readonly rateLimits: Readonly<Record<RateClass, number>>;
  /** Per minute and client address. */
  readonly invalidKeyLimit: number;
  readonly bodyLimitBytes: number;
  readonly streamedBodyLimitBytes: number;
  readonly streamIdleTimeoutMs: number;
  readonly callTimeoutMs: number;
  readonly upstreamTimeoutMs: number;
  readonly credentialTimeoutMs: number;
  readonly credentialCacheMs: number;
  readonly trustedProxies: readonly string[];
  readonly redisUrl?: string;
}

/** Throws `ConfigError`. */
export function loadGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const values = loadEnv(gatewayEnvSpec, env);
  const trustedProxies = values.TRUSTED_PROXIES ?? [];
  const wrong = trustedProxies.find((entry) => !isAddressOrNetwork(entry));
  if (wrong !== undefined)
    throw new ConfigError({ TRUSTED_PROXIES: `"${wrong}" is neither an address nor a CIDR block` });
  return {
    rateLimits: {
      discover: values.RATE_LIMIT_DISCOVER,
      inspect: values.RATE_LIMIT_INSPECT,
      probe: values.RATE_LIMIT_PROBE,
      call: values.RATE_LIMIT_CALL,
      read: values.RATE_LIMIT_READ,
      anonymous: values.RATE_LIMIT_ANONYMOUS,
    },
    invalidKeyLimit: values.RATE_LIMIT_INVALID_KEY,
    bodyLimitBytes: values.BODY_LIMIT_BYTES,
    streamedBodyLimitBytes: values.STREAMED_BODY_LIMIT_BYTES,
    streamIdleTimeoutMs: values.STREAM_IDLE_TIMEOUT_MS,
    callTimeoutMs: values.CALL_TIMEOUT_MS,
    upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
    credentialTimeoutMs: values.CREDENTIAL_TIMEOUT_MS,
    credentialCacheMs: values.CREDENTIAL_CACHE_MS,
    trustedProxies,
    ...(values.REDIS_URL === undefined ? {} : { redisUrl: values.REDIS_URL }),
  };
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
