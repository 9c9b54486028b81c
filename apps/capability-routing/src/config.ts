import { databaseEnvSpec, integer, loadEnv } from '@capability-router/service-kit/config';

const MAX_BUDGET_MS = 1_000;

export const capabilityRoutingEnvSpec = {
  ...databaseEnvSpec('CAPABILITY_ROUTING'),
  CAPABILITY_ROUTING_REMAINING_CREDITS_BUDGET_MS: integer({
    desc: 'Milliseconds within which billing must say what the caller has left; later, the answer goes without it.',
    min: 1,
    max: MAX_BUDGET_MS,
    default: 10,
  }),
};

export interface CapabilityRoutingConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly remainingCreditsBudgetMs: number;
}

/** Throws `ConfigError`, which names every variable at fault. */
export function loadCapabilityRoutingConfig(env: NodeJS.ProcessEnv): CapabilityRoutingConfig {
  const values = loadEnv(capabilityRoutingEnvSpec, env);
  return {
    databaseUrl: values.CAPABILITY_ROUTING_DATABASE_URL,
    databasePoolSize: values.CAPABILITY_ROUTING_DATABASE_POOL_SIZE,
    remainingCreditsBudgetMs: values.CAPABILITY_ROUTING_REMAINING_CREDITS_BUDGET_MS,
  };
}
