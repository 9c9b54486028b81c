import { creditsFromMicro, formatCredits, type Credits } from '@capability-router/kernel';
import { ConfigError, creditAmount, integer, type EnvValues } from '@capability-router/service-kit/config';

const HOUR_MS = 3_600_000;
/** Hours; less than the day for which a passed check counts, so that a tool is verified again before it lapses. */
const MAX_INTERVAL_HOURS = 23;
/** A hundred credits. */
const DEFAULT_BUDGET = creditsFromMicro(100_000_000n);
/** A hundred thousand credits: more is a slip of the pen. */
const MAX_BUDGET = creditsFromMicro(100_000_000_000n);

export const verificationEnvSpec = {
  VERIFICATION_INTERVAL_HOURS: integer({
    desc: 'Hours after which a tool is verified again, by running its own examples: built-in tools, and those of providers whose record says so. 0: only where an administrator asks for it.',
    min: 0,
    max: MAX_INTERVAL_HOURS,
    default: 20,
  }),
  VERIFICATION_DAILY_BUDGET_CREDITS: creditAmount({
    desc: "Credits that verification may cost on one day (UTC), on the deployment's own account.",
    default: DEFAULT_BUDGET,
  }),
  VERIFICATION_MAX_CONCURRENT: integer({
    desc: 'Tools that one replica of the registry verifies at a time.',
    min: 1,
    max: 16,
    default: 2,
  }),
};

export interface VerificationPolicy {
  /** Milliseconds; 0: only where it is asked for. */
  readonly intervalMs: number;
  /** Above 0. */
  readonly dailyBudget: Credits;
  readonly maxConcurrent: number;
}

export interface VerificationConfig {
  readonly verification: VerificationPolicy;
}

/** Throws `ConfigError` for a budget that is none. */
export function toVerificationPolicy(values: EnvValues<typeof verificationEnvSpec>): VerificationPolicy {
  const dailyBudget = values.VERIFICATION_DAILY_BUDGET_CREDITS;
  if (dailyBudget <= 0n || dailyBudget > MAX_BUDGET) {
    const msg = `must be above 0 and at most ${formatCredits(MAX_BUDGET)}; VERIFICATION_INTERVAL_HOURS=0 switches verification off`;
    throw new ConfigError({ VERIFICATION_DAILY_BUDGET_CREDITS: msg });
  }
  return {
    intervalMs: values.VERIFICATION_INTERVAL_HOURS * HOUR_MS,
    dailyBudget,
    maxConcurrent: values.VERIFICATION_MAX_CONCURRENT,
  };
}
