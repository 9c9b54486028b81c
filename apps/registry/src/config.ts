import { databaseEnvSpec, integer, loadEnv } from '@capability-router/service-kit';

const MAX_RETENTION_DAYS = 3_650;
const MAX_BUDGET_MS = 1_000;

export const registryEnvSpec = {
  ...databaseEnvSpec('REGISTRY'),
  REGISTRY_PAYLOAD_RETENTION_DAYS: integer({
    desc: 'Days for which query texts and request bodies of Discover and Inspect are kept.',
    min: 1,
    max: MAX_RETENTION_DAYS,
    default: 30,
  }),
  REGISTRY_SEARCH_RESULT_RETENTION_DAYS: integer({
    desc: 'Days for which the tool ids that a search returned are kept.',
    min: 1,
    max: MAX_RETENTION_DAYS,
    default: 90,
  }),
  REGISTRY_REMAINING_CREDITS_BUDGET_MS: integer({
    desc: 'Milliseconds within which billing must say what the caller has left; later, the answer goes without it.',
    min: 1,
    max: MAX_BUDGET_MS,
    default: 10,
  }),
};

export interface RegistryConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly payloadRetentionDays: number;
  readonly searchResultRetentionDays: number;
  readonly remainingCreditsBudgetMs: number;
}

/** Throws `ConfigError`, which names every variable at fault. */
export function loadRegistryConfig(env: NodeJS.ProcessEnv): RegistryConfig {
  const values = loadEnv(registryEnvSpec, env);
  return {
    databaseUrl: values.REGISTRY_DATABASE_URL,
    databasePoolSize: values.REGISTRY_DATABASE_POOL_SIZE,
    payloadRetentionDays: values.REGISTRY_PAYLOAD_RETENTION_DAYS,
    searchResultRetentionDays: values.REGISTRY_SEARCH_RESULT_RETENTION_DAYS,
    remainingCreditsBudgetMs: values.REGISTRY_REMAINING_CREDITS_BUDGET_MS,
  };
}
