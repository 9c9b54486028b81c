import { contexts, type ContextName } from '@capability-router/contracts';
import type { OptionalValidatorSpec, RequiredValidatorSpec } from 'envalid';
import { kafkaEnvSpec } from './kafka-env.js';
import type { EnvValues } from './load-env.js';
import { redisEnvSpec } from './redis-env.js';
import { tracingEnvSpec } from './tracing-env.js';
import { integer, jsonObject, oneOf, text, url, urlList } from './validators.js';

/** Bytes of a request body, where a service sets no other limit. */
export const DEFAULT_BODY_LIMIT_BYTES = 1_048_576;
const MAX_PORT = 65_535;
const MAX_DRAIN_MS = 60_000;
const MAX_SHUTDOWN_MS = 600_000;
/** Longer than the gateway waits for a call, and the drain before it. */
export const DEFAULT_SHUTDOWN_TIMEOUT_MS = 125_000;
const MAX_SESSION_MS = 300_000;

/** Variables of every service process. */
export const commonEnvSpec = {
  HOST: text({ desc: 'Address the service listens on.', default: '0.0.0.0', example: '127.0.0.1' }),
  PORT: integer({ desc: 'Port of the HTTP listener.', min: 0, max: MAX_PORT, default: 8080 }),
  METRICS_PORT: integer({
    desc: 'Port of the separate listener for `/metrics`; never expose it to callers.',
    min: 0,
    max: MAX_PORT,
    default: 9090,
  }),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    desc: 'Least level that is logged.',
    default: 'info',
  }),
  PUBLIC_URL: url(['http', 'https'], {
    desc: 'Origin under which callers reach the gateway; links and issuers are built from it.',
    example: 'https://tools.example.com',
  }),
  ...kafkaEnvSpec,
  KAFKA_SESSION_TIMEOUT_MS: integer({
    desc: 'Milliseconds without a heartbeat after which a consumer counts as dead and its partitions go to another replica; within what the broker allows (`group.min.session.timeout.ms`, 6000 by default).',
    min: 1_000,
    max: MAX_SESSION_MS,
    default: 10_000,
  }),
  RELAY_LEASE_MS: integer({
    desc: 'Milliseconds without a sign of life after which another replica publishes the events of one that died.',
    min: 1_000,
    max: MAX_SESSION_MS,
    default: 10_000,
  }),
  ...redisEnvSpec,
  ...tracingEnvSpec,
  INTERNAL_SIGNING_KEY: jsonObject({
    desc: 'This service\'s private Ed25519 key as a JWK, with which it signs its internal tokens; or `{"keys":[…]}` with up to four: the first signs, and what the others sealed is opened.',
    example: '{"kty":"OKP","crv":"Ed25519","d":"…","x":"…"}',
  }),
  INTERNAL_JWKS: jsonObject({
    desc: 'Public keys of all services as a JWK set, up to four of each; `kid` is the name of the service, or begins with it and a dot (`billing.2`).',
    example: '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"gateway","x":"…"}]}',
  }),
  SHUTDOWN_DRAIN_MS: integer({
    desc: 'Milliseconds between reporting not ready and closing the listener on SIGTERM: long enough for callers to have probed the replica that was restarted before, and 5 s longer than name servers keep a name that callers find it by.',
    min: 0,
    max: MAX_DRAIN_MS,
    default: 5_000,
  }),
  SHUTDOWN_TIMEOUT_MS: integer({
    desc: 'Milliseconds after SIGTERM at which the process exits even if work is left; the default lets the longest call end.',
    min: 1_000,
    max: MAX_SHUTDOWN_MS,
    default: DEFAULT_SHUTDOWN_TIMEOUT_MS,
  }),
};

/** `capability-routing` → `CAPABILITY_ROUTING`. */
export const envPrefixOf = (name: ContextName): string => name.replaceAll('-', '_').toUpperCase();

const peerUrl = (name: ContextName): OptionalValidatorSpec<string[]> =>
  urlList(['http'], {
    desc: `Address of ${name} inside the deployment; several, comma-separated or behind one name, are used in turn.`,
    default: undefined,
    example: `http://${name}:8080`,
  });

/** `<NAME>_URL` of each service. A service that calls one whose address is missing fails with a message that names it. */
export const peerEnvSpec: Readonly<Record<string, OptionalValidatorSpec<string[]>>> = Object.fromEntries(
  contexts.map((name) => [`${envPrefixOf(name)}_URL`, peerUrl(name)]),
);

export type CommonConfig = EnvValues<typeof commonEnvSpec>;

const MAX_POOL_SIZE = 200;

type DatabaseEnvSpec<P extends string> = Readonly<
  Record<`${P}_DATABASE_URL`, RequiredValidatorSpec<string>> &
    Record<`${P}_DATABASE_OWNER_URL`, OptionalValidatorSpec<string>> &
    Record<`${P}_DATABASE_POOL_SIZE`, RequiredValidatorSpec<number>>
>;

/**
 * Variables of a service with a database. `prefix` is the service's name in upper case, hyphens as underscores; `aside`: what it opens
 * beside its pool, in words.
 */
export function databaseEnvSpec<P extends string>(prefix: P, aside?: string): DatabaseEnvSpec<P> {
  const database = `capability_router_${prefix.toLowerCase()}`;
  return {
    [`${prefix}_DATABASE_URL`]: url(['postgres', 'postgresql'], {
      desc: 'PostgreSQL URL of the application role, which cannot change the schema. `?sslmode=verify-full&sslrootcert=/path/ca.crt` asks for TLS, `password_file=/path` takes the password from a file; both are read again with each connection.',
      example: `postgres://${prefix.toLowerCase()}_app:…@postgres:5432/${database}`,
    }),
    [`${prefix}_DATABASE_OWNER_URL`]: url(['postgres', 'postgresql'], {
      desc: 'PostgreSQL URL of the owner role; read by the `migrate` command only.',
      default: undefined,
      example: `postgres://${prefix.toLowerCase()}_owner:…@postgres:5432/${database}`,
    }),
    [`${prefix}_DATABASE_POOL_SIZE`]: integer({
      desc: `Most connections of one replica to its database${aside === undefined ? '' : `, beside ${aside}`}.`,
      min: 2,
      max: MAX_POOL_SIZE,
      default: 16,
    }),
  } as DatabaseEnvSpec<P>;
}
