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

const MIN_LINK_KEY_CHARACTERS = 32;
const MEBIBYTE = 1_048_576;

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
  BUILTIN_MAX_THREADS: integer({
    desc: 'Worker threads that run built-in tools.',
    min: 1,
    max: 64,
    default: 2,
  }),
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
  readonly resultStore: { readonly directory: string; readonly maxTotalBytes: number };
  readonly resultLinkKey: Buffer;
  readonly builtinMaxThreads: number;
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
    resultStore: { directory: values.RESULT_STORE_DIR, maxTotalBytes: values.RESULT_STORE_MAX_BYTES },
    resultLinkKey: Buffer.from(values.RESULT_LINK_KEY, 'utf8'),
    builtinMaxThreads: values.BUILTIN_MAX_THREADS,
    payloadRetentionDays: values.PAYLOAD_RETENTION_DAYS,
    faults: loadFaults(env),
  };
}
