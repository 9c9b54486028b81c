import { formatCredits, parseCredits, ZERO_CREDITS, type Credits } from '@capability-router/kernel';
import { ConfigError, creditAmount, databaseEnvSpec, integer, loadEnv } from '@capability-router/service-kit/config';

/** Per account and day. */
const MAX_DAILY_FREE = parseCredits('1000000');

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
  DAILY_FREE_CREDITS: creditAmount({
    desc: 'Credits per formal account and UTC day that calls take before the balance, each whole or not at all; 0: none.',
    default: ZERO_CREDITS,
  }),
  GRANT_EXPIRY_INTERVAL_MS: integer({
    desc: 'Milliseconds between two rounds that book expired grants.',
    default: 15_000,
    min: 100,
    max: 3_600_000,
  }),
  LEDGER_ROOT_CHECK_INTERVAL_MS: integer({
    desc: 'Milliseconds between two looks whether the ledger root of the last day is recorded; one replica records it.',
    default: 60_000,
    min: 100,
    max: 3_600_000,
  }),
  ANOMALY_CHECK_INTERVAL_MS: integer({
    desc: 'Milliseconds between two rounds of the reconciler, which puts anomalies of the usage audit into the exceptions queue; one replica at a time.',
    default: 15_000,
    min: 100,
    max: 3_600_000,
  }),
  BOOKS_CHECK_INTERVAL_MS: integer({
    desc: 'Milliseconds between two rounds that compare the sums of the ledger, balances, lots and holds, and check accounts; one replica at a time.',
    default: 30_000,
    min: 100,
    max: 3_600_000,
  }),
  PAGE_TIMEOUT_MS: integer({
    desc: 'Milliseconds that counting a list, or finding a page of it, may take; then the answer is a 503. A large page is given more.',
    default: 200,
    min: 10,
    max: 60_000,
  }),
  SETTLEMENT_BATCH: integer({ desc: 'Execution events settled in one transaction.', default: 500, min: 1, max: 500 }),
};

export interface BillingConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly holdInquiryAgeMs: number;
  readonly holdSweepIntervalMs: number;
  readonly holdSweepBatch: number;
  readonly dailyFreeCredits: Credits;
  readonly grantExpiryIntervalMs: number;
  readonly ledgerRootCheckIntervalMs: number;
  readonly anomalyCheckIntervalMs: number;
  readonly booksCheckIntervalMs: number;
  readonly pageTimeoutMs: number;
  readonly settlementBatch: number;
}

export function loadBillingConfig(env: NodeJS.ProcessEnv): BillingConfig {
  const values = loadEnv(billingEnvSpec, env);
  const dailyFree = values.DAILY_FREE_CREDITS;
  if (dailyFree < 0n || dailyFree > MAX_DAILY_FREE) {
    throw new ConfigError({ DAILY_FREE_CREDITS: `must be from 0 to ${formatCredits(MAX_DAILY_FREE)}` });
  }
  return {
    databaseUrl: values.BILLING_DATABASE_URL,
    databasePoolSize: values.BILLING_DATABASE_POOL_SIZE,
    holdInquiryAgeMs: values.HOLD_INQUIRY_AGE_MS,
    holdSweepIntervalMs: values.HOLD_SWEEP_INTERVAL_MS,
    holdSweepBatch: values.HOLD_SWEEP_BATCH,
    dailyFreeCredits: dailyFree,
    grantExpiryIntervalMs: values.GRANT_EXPIRY_INTERVAL_MS,
    ledgerRootCheckIntervalMs: values.LEDGER_ROOT_CHECK_INTERVAL_MS,
    anomalyCheckIntervalMs: values.ANOMALY_CHECK_INTERVAL_MS,
    booksCheckIntervalMs: values.BOOKS_CHECK_INTERVAL_MS,
    pageTimeoutMs: values.PAGE_TIMEOUT_MS,
    settlementBatch: values.SETTLEMENT_BATCH,
  };
}
