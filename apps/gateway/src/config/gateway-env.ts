import { isIP } from 'node:net';
import { MAX_DESCRIBED_TOOLS } from '@capability-router/contracts';
import { isToolId } from '@capability-router/kernel';
import {
  ConfigError,
  DEFAULT_BODY_LIMIT_BYTES,
  externalIssuersEnvSpec,
  externalIssuersOf,
  flag,
  integer,
  list,
  loadEnv,
  redisConnectionOf,
  redisEnvSpec,
  type RedisConnection,
} from '@capability-router/service-kit/config';
import type { ServerOptions } from '@capability-router/service-kit';
import type { RateClass } from '../routes/gateway-route.js';

const MAX_PER_MINUTE = 1_000_000;
const MAX_TIMEOUT_MS = 600_000;
/** Bytes. A body is held in memory while it is forwarded. */
const MAX_BODY_LIMIT_BYTES = 67_108_864;
/** Bytes. What is streamed is never held in memory, so this bounds time and traffic. */
const MAX_STREAMED_BODY_LIMIT_BYTES = 8_589_934_592;
/** Connections, or requests on them. */
const MAX_AT_ONCE = 1_000_000;
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
  REQUEST_TIMEOUT_MS: integer({
    desc: 'Milliseconds within which the head of a request, and then its body, must have arrived; 408 beyond. A body that is passed on as it comes has STREAM_IDLE_TIMEOUT_MS.',
    min: 100,
    max: MAX_TIMEOUT_MS,
    default: 30_000,
  }),
  KEEP_ALIVE_TIMEOUT_MS: integer({
    desc: 'Milliseconds for which a connection is kept open between two requests; longer than balancers and clients in front keep theirs.',
    min: 100,
    max: MAX_TIMEOUT_MS,
    default: 72_000,
  }),
  MAX_CONNECTIONS: integer({
    desc: 'Connections that are open at the same time; further ones are closed at once.',
    min: 1,
    max: MAX_AT_ONCE,
    default: 10_000,
  }),
  MAX_REQUESTS_IN_FLIGHT: integer({
    desc: 'Requests under way at the same time; further ones are answered 503 with Retry-After before anything is done (an Inspect or Probe 502).',
    min: 1,
    max: MAX_AT_ONCE,
    default: 2_000,
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
  REQUEST_LOG: flag({
    desc: 'One line in the log, at level info, for each request that ended.',
    default: true,
  }),
  TRUSTED_PROXIES: list({
    desc: 'Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed; none by default.',
    default: undefined,
    example: '10.0.0.0/8,192.168.1.1',
  }),
  MCP_PUBLISHED_TOOLS: list({
    desc: `Ids of tools that clients of MCP are shown beside the gateway's own, each with its parameters; at most ${MAX_DESCRIBED_TOOLS}.`,
    default: undefined,
    example: 'almanac.holiday.list.v1,formula.expression.evaluate.v1',
  }),
  MCP_ALLOWED_ORIGINS: list({
    desc: 'Origins of pages that may ask the MCP endpoint, beside PUBLIC_URL; a request that names another one is refused.',
    default: undefined,
    example: 'https://agents.example.com',
  }),
  ...externalIssuersEnvSpec,
};

/** Bounds of the public listener, as its server takes them. */
type ListenerBounds = Required<
  Pick<ServerOptions, 'headTimeoutMs' | 'bodyTimeoutMs' | 'keepAliveTimeoutMs' | 'maxConnections' | 'maxInFlight'>
>;

export interface GatewayConfig {
  /** Requests per minute. */
  readonly rateLimits: Readonly<Record<RateClass, number>>;
  /** Per minute and client address. */
  readonly invalidKeyLimit: number;
  readonly bodyLimitBytes: number;
  readonly streamedBodyLimitBytes: number;
  readonly streamIdleTimeoutMs: number;
  readonly listener: ListenerBounds;
  readonly callTimeoutMs: number;
  readonly upstreamTimeoutMs: number;
  readonly credentialTimeoutMs: number;
  readonly credentialCacheMs: number;
  readonly requestLog: boolean;
  readonly trustedProxies: readonly string[];
  /** Tool ids, each once. */
  readonly mcpPublishedTools: readonly string[];
  readonly mcpAllowedOrigins: readonly string[];
  /** Where replicas count together. */
  readonly redis?: RedisConnection;
  /** Whose tokens are taken beside our own; identity verifies them. */
  readonly externalIssuers: readonly string[];
}

/** Throws `ConfigError`. */
export function loadGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const values = loadEnv({ ...gatewayEnvSpec, ...redisEnvSpec }, env);
  const redis = redisConnectionOf(values);
  const trustedProxies = values.TRUSTED_PROXIES ?? [];
  const wrong = trustedProxies.find((entry) => !isAddressOrNetwork(entry));
  if (wrong !== undefined)
    throw new ConfigError({ TRUSTED_PROXIES: `"${wrong}" is neither an address nor a CIDR block` });
  const mcpPublishedTools = [...new Set(values.MCP_PUBLISHED_TOOLS ?? [])];
  const mcpAllowedOrigins = values.MCP_ALLOWED_ORIGINS ?? [];
  refuseUnfit(mcpPublishedTools, mcpAllowedOrigins);
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
    listener: {
      headTimeoutMs: values.REQUEST_TIMEOUT_MS,
      bodyTimeoutMs: values.REQUEST_TIMEOUT_MS,
      keepAliveTimeoutMs: values.KEEP_ALIVE_TIMEOUT_MS,
      maxConnections: values.MAX_CONNECTIONS,
      maxInFlight: values.MAX_REQUESTS_IN_FLIGHT,
    },
    callTimeoutMs: values.CALL_TIMEOUT_MS,
    upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
    credentialTimeoutMs: values.CREDENTIAL_TIMEOUT_MS,
    credentialCacheMs: values.CREDENTIAL_CACHE_MS,
    requestLog: values.REQUEST_LOG,
    trustedProxies,
    mcpPublishedTools,
    mcpAllowedOrigins,
    externalIssuers: externalIssuersOf(values).map(({ iss }) => iss),
    ...(redis === undefined ? {} : { redis }),
  };
}

/** Throws `ConfigError`. */
function refuseUnfit(toolIds: readonly string[], origins: readonly string[]): void {
  const wrongId = toolIds.find((toolId) => !isToolId(toolId));
  if (wrongId !== undefined) throw new ConfigError({ MCP_PUBLISHED_TOOLS: `"${wrongId}" is no tool id` });
  if (toolIds.length > MAX_DESCRIBED_TOOLS)
    throw new ConfigError({
      MCP_PUBLISHED_TOOLS: `has ${toolIds.length} tools, and at most ${MAX_DESCRIBED_TOOLS} fit`,
    });
  const wrongOrigin = origins.find((origin) => !isOrigin(origin));
  if (wrongOrigin !== undefined)
    throw new ConfigError({
      MCP_ALLOWED_ORIGINS: `"${wrongOrigin}" is no origin; write it like https://agents.example.com`,
    });
}

/** As a browser sends it: no path, no default port, in lower case. */
function isOrigin(text: string): boolean {
  const found = /^([a-z][a-z0-9+.-]*):\/\/[^/?#\s]+$/.exec(text);
  if (found === null) return false;
  // Other schemes than these, such as those of editors, have no form to hold it to.
  return found[1] !== 'http' && found[1] !== 'https' ? true : URL.canParse(text) && new URL(text).origin === text;
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
