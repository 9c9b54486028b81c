import {
  ConfigError,
  databaseEnvSpec,
  faultEnvSpec,
  integer,
  loadEnv,
  loadFaults,
  text,
  type EnvValues,
  type Faults,
} from '@capability-router/service-kit';
import { providersConfigOf, providersEnvSpec, type ProvidersConfig } from './providers/providers-config.js';

const MIN_LINK_KEY_CHARACTERS = 32;
const MEBIBYTE = 1_048_576;
const MINUTE_MS = 60_000;

export const executionEnvSpec = {
  ...databaseEnvSpec('EXECUTION'),
  RESULT_STORE_DIR: text({
    desc: 'Directory of full results behind signed links; all replicas of execution share it.',
    default: './data/results',
  }),
  RESULT_STORE_MAX_BYTES: integer({
    desc: 'Bytes of all stored results together; above it the oldest go first.',
    min: MEBIBYTE,
    max: Number.MAX_SAFE_INTEGER,
    default: 1_024 * MEBIBYTE,
  }),
  RESULT_LINK_KEY: text({
    desc: `Secret of at least ${MIN_LINK_KEY_CHARACTERS} characters that signs result links; the same on all replicas.`,
    example: 'the output of: openssl rand -hex 32',
  }),
  RESULT_LINK_LIFETIME_MS: integer({
    desc: 'Milliseconds for which a link to a full result works, and the result is kept.',
    min: MINUTE_MS,
    max: 7 * 24 * 60 * MINUTE_MS,
    default: 120 * MINUTE_MS,
  }),
  EXECUTION_BODY_LIMIT_BYTES: integer({
    desc: 'Bytes of a Call body; parameters of tools that take texts or tables are the largest. The gateway has its own limit.',
    min: 1_024,
    max: 64 * MEBIBYTE,
    default: MEBIBYTE,
  }),
  EXECUTION_HOLD_TIMEOUT_MS: integer({
    desc: 'Milliseconds within which billing must reserve the price of a call; later, it is answered 503 and not run.',
    min: 100,
    max: 30_000,
    default: 2_000,
  }),
  EXECUTION_LEASE_MS: integer({
    desc: 'Milliseconds without a sign of life after which a process counts as dead and what it ran is interrupted. It renews three times as often.',
    min: 3_000,
    max: 5 * MINUTE_MS,
    default: 15_000,
  }),
  EXECUTION_INTERRUPT_INTERVAL_MS: integer({
    desc: 'Milliseconds between two looks for executions whose process is dead or whose deadline is past.',
    min: 100,
    max: MINUTE_MS,
    default: 2_000,
  }),
  ...providersEnvSpec,
  PAYLOAD_RETENTION_DAYS: integer({
    desc: 'Days for which request payloads and response summaries are kept for the audit.',
    min: 1,
    max: 3_650,
    default: 90,
  }),
  ...faultEnvSpec,
};

export interface ExecutionConfig {
  readonly database: { readonly url: string; readonly poolSize: number };
  readonly resultStore: { readonly directory: string; readonly maxTotalBytes: number; readonly lifetimeMs: number };
  readonly resultLinkKey: Buffer;
  readonly bodyLimitBytes: number;
  readonly holdTimeoutMs: number;
  readonly leaseMs: number;
  readonly interruptIntervalMs: number;
  readonly providers: ProvidersConfig;
  readonly payloadRetentionDays: number;
  readonly faults: Faults;
}

/** Throws `ConfigError` naming every variable at fault. */
export function loadExecutionConfig(env: NodeJS.ProcessEnv): ExecutionConfig {
  const values: EnvValues<typeof executionEnvSpec> = loadEnv(executionEnvSpec, env);
  if (values.RESULT_LINK_KEY.length < MIN_LINK_KEY_CHARACTERS) {
    throw new ConfigError({ RESULT_LINK_KEY: `must have at least ${MIN_LINK_KEY_CHARACTERS} characters` });
  }
  return {
    database: { url: values.EXECUTION_DATABASE_URL, poolSize: values.EXECUTION_DATABASE_POOL_SIZE },
    resultStore: {
      directory: values.RESULT_STORE_DIR,
      maxTotalBytes: values.RESULT_STORE_MAX_BYTES,
      lifetimeMs: values.RESULT_LINK_LIFETIME_MS,
    },
    resultLinkKey: Buffer.from(values.RESULT_LINK_KEY, 'utf8'),
    bodyLimitBytes: values.EXECUTION_BODY_LIMIT_BYTES,
    holdTimeoutMs: values.EXECUTION_HOLD_TIMEOUT_MS,
    leaseMs: values.EXECUTION_LEASE_MS,
    interruptIntervalMs: values.EXECUTION_INTERRUPT_INTERVAL_MS,
    providers: providersConfigOf(values),
    payloadRetentionDays: values.PAYLOAD_RETENTION_DAYS,
    faults: loadFaults(env),
  };
}
