import { readFileSync } from 'node:fs';
import {
  ConfigError,
  databaseEnvSpec,
  faultEnvSpec,
  integer,
  loadEnv,
  loadFaults,
  redisEnvSpec,
  text,
  type Faults,
} from '@capability-router/service-kit/config';
import { parseSealingKeys, type SealingKeys } from './credentials/sealing/sealing-keys.js';
import {
  providerCacheConfigOf,
  providerCacheEnvSpec,
  type ProviderCacheConfig,
} from './provider-cache/provider-cache-config.js';
import { providersConfigOf, providersEnvSpec, type ProvidersConfig } from './providers/providers-config.js';
import {
  resultStoreConfigOf,
  resultStoreEnvSpec,
  type ResultStoreConfig,
} from './result-shaping/store/result-store-config.js';

const MIN_LINK_KEY_CHARACTERS = 32;
const MEBIBYTE = 1_048_576;
const MINUTE_MS = 60_000;

export const executionEnvSpec = {
  ...databaseEnvSpec('EXECUTION', 'one more over which it renews its lease'),
  ...resultStoreEnvSpec,
  RESULT_LINK_KEY: text({
    desc: `Secret of at least ${MIN_LINK_KEY_CHARACTERS} characters that signs result links; the same on all replicas.`,
    example: 'the output of: openssl rand -hex 32',
  }),
  CREDENTIAL_KEYS: text({
    desc: "Keys that seal providers' credentials: `id:key` entries separated by commas, a key being 32 bytes in hex or base64; the first one seals, the others open what they sealed. The same on all replicas. This or CREDENTIAL_KEYS_FILE.",
    default: undefined,
    example: 'k1:<the output of: openssl rand -hex 32>',
  }),
  CREDENTIAL_KEYS_FILE: text({
    desc: 'File with what would be in CREDENTIAL_KEYS, one entry a line.',
    default: undefined,
    example: '/run/secrets/credential-keys',
  }),
  EXECUTION_BODY_LIMIT_BYTES: integer({
    desc: 'Bytes of a Call body; parameters of tools that take texts or tables are the largest. The gateway has its own limit.',
    min: 1_024,
    max: 64 * MEBIBYTE,
    default: MEBIBYTE,
  }),
  EXECUTION_HOLD_TIMEOUT_MS: integer({
    desc: 'Milliseconds within which billing must reserve the price of a call, and never longer than its tool may take; later, it is answered 503 and not run. Long enough for a burst of calls to be reserved one after another.',
    min: 100,
    max: 30_000,
    default: 10_000,
  }),
  EXECUTION_LEASE_MS: integer({
    desc: 'Milliseconds without a sign of life after which a process counts as dead and what it ran is interrupted. It renews three times as often.',
    min: 3_000,
    max: 5 * MINUTE_MS,
    default: 15_000,
  }),
  EXECUTION_HEDGE_PERCENT: integer({
    desc: 'Percent of the capability queries that may be hedged: where the first tool of a capability that only reads takes longer than its p95, the second one is asked beside it. The caller pays the one that serves, the deployment what the other one costs. 0 = none.',
    min: 0,
    max: 100,
    default: 0,
  }),
  EXECUTION_INTERRUPT_INTERVAL_MS: integer({
    desc: 'Milliseconds between two looks for executions whose process is dead or whose deadline is past.',
    min: 100,
    max: MINUTE_MS,
    default: 2_000,
  }),
  IDEMPOTENCY_KEY_LIFETIME_MS: integer({
    desc: 'Milliseconds for which an Idempotency-Key and the answer to its request are remembered.',
    min: 10 * MINUTE_MS,
    max: 7 * 24 * 60 * MINUTE_MS,
    default: 24 * 60 * MINUTE_MS,
  }),
  IDEMPOTENCY_MAX_ANSWER_BYTES: integer({
    desc: 'Bytes of an answer that the database keeps whole for its Idempotency-Key. Of a larger one the database keeps the beginning of the result, and the result store the rest for RESULT_LINK_LIFETIME_MS.',
    min: 32_768,
    max: MEBIBYTE,
    default: 65_536,
  }),
  ...providersEnvSpec,
  ...providerCacheEnvSpec,
  PAYLOAD_RETENTION_DAYS: integer({
    desc: 'Days for which request payloads and response summaries are kept for the audit.',
    min: 1,
    max: 3_650,
    default: 90,
  }),
  ...faultEnvSpec,
};

export interface ExecutionConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly resultStore: ResultStoreConfig;
  readonly resultLinkKey: Buffer;
  readonly credentialKeys: SealingKeys;
  readonly bodyLimitBytes: number;
  readonly holdTimeoutMs: number;
  readonly leaseMs: number;
  readonly hedgePercent: number;
  readonly interruptIntervalMs: number;
  readonly idempotency: { readonly keyLifetimeMs: number; readonly maxAnswerBytes: number };
  readonly providers: ProvidersConfig;
  readonly providerCache: ProviderCacheConfig;
  readonly payloadRetentionDays: number;
  readonly faults: Faults;
}

/** Throws `ConfigError` naming every variable at fault. */
export function loadExecutionConfig(env: NodeJS.ProcessEnv): ExecutionConfig {
  const values = loadEnv({ ...executionEnvSpec, ...redisEnvSpec }, env);
  if (values.RESULT_LINK_KEY.length < MIN_LINK_KEY_CHARACTERS) {
    throw new ConfigError({ RESULT_LINK_KEY: `must have at least ${MIN_LINK_KEY_CHARACTERS} characters` });
  }
  return {
    databaseUrl: values.EXECUTION_DATABASE_URL,
    databasePoolSize: values.EXECUTION_DATABASE_POOL_SIZE,
    resultStore: resultStoreConfigOf(values),
    resultLinkKey: Buffer.from(values.RESULT_LINK_KEY, 'utf8'),
    credentialKeys: credentialKeysOf(values.CREDENTIAL_KEYS, values.CREDENTIAL_KEYS_FILE),
    bodyLimitBytes: values.EXECUTION_BODY_LIMIT_BYTES,
    holdTimeoutMs: values.EXECUTION_HOLD_TIMEOUT_MS,
    leaseMs: values.EXECUTION_LEASE_MS,
    hedgePercent: values.EXECUTION_HEDGE_PERCENT,
    interruptIntervalMs: values.EXECUTION_INTERRUPT_INTERVAL_MS,
    idempotency: {
      keyLifetimeMs: values.IDEMPOTENCY_KEY_LIFETIME_MS,
      maxAnswerBytes: values.IDEMPOTENCY_MAX_ANSWER_BYTES,
    },
    providers: providersConfigOf(values),
    providerCache: providerCacheConfigOf(values),
    payloadRetentionDays: values.PAYLOAD_RETENTION_DAYS,
    faults: loadFaults(env),
  };
}

function credentialKeysOf(entries: string | undefined, file: string | undefined): SealingKeys {
  if ((entries === undefined) === (file === undefined)) {
    throw new ConfigError({ CREDENTIAL_KEYS: 'set either this or CREDENTIAL_KEYS_FILE' });
  }
  const name = file === undefined ? 'CREDENTIAL_KEYS' : 'CREDENTIAL_KEYS_FILE';
  try {
    return parseSealingKeys(file === undefined ? (entries ?? '') : readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as { code?: unknown };
    const problem = error instanceof RangeError ? error.message : `the file cannot be read (${String(code)})`;
    throw new ConfigError({ [name]: problem });
  }
}
