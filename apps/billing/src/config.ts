import { databaseEnvSpec, integer, loadEnv } from '@capability-router/service-kit';

/** Variables of billing. */
export const billingEnvSpec = {
  ...databaseEnvSpec('BILLING'),
  HOLD_INQUIRY_AGE_MS: integer({
    desc: 'Milliseconds after which an open hold is asked about: whether its execution still runs. Asking ends an execution that is not known.',
    default: 20_000,
    min: 1_000,
    max: 3_600_000,
  }),
  HOLD_SWEEP_INTERVAL_MS: integer({
    desc: 'Milliseconds between two rounds of the hold sweeper.',
    default: 5_000,
    min: 100,
    max: 600_000,
  }),
  HOLD_SWEEP_BATCH: integer({
    desc: 'Holds that one round of the sweeper asks about.',
    default: 500,
    min: 1,
    max: 500,
  }),
  SETTLEMENT_BATCH: integer({ desc: 'Execution events settled in one transaction.', default: 500, min: 1, max: 500 }),
};

export interface BillingConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly holdInquiryAgeMs: number;
  readonly holdSweepIntervalMs: number;
  readonly holdSweepBatch: number;
  readonly settlementBatch: number;
}

export function loadBillingConfig(env: NodeJS.ProcessEnv): BillingConfig {
  const values = loadEnv(billingEnvSpec, env);
  return {
    databaseUrl: values.BILLING_DATABASE_URL,
    databasePoolSize: values.BILLING_DATABASE_POOL_SIZE,
    holdInquiryAgeMs: values.HOLD_INQUIRY_AGE_MS,
    holdSweepIntervalMs: values.HOLD_SWEEP_INTERVAL_MS,
    holdSweepBatch: values.HOLD_SWEEP_BATCH,
    settlementBatch: values.SETTLEMENT_BATCH,
  };
}
