import { formatCredits, parseCredits, type Credits } from '@capability-router/kernel';
import {
  ConfigError,
  creditAmount,
  databaseEnvSpec,
  externalIssuersEnvSpec,
  externalIssuersOf,
  integer,
  loadEnv,
  type ExternalIssuer,
} from '@capability-router/service-kit/config';
import type { GrantPolicy } from './accounts/initial-grant.js';
import { claimEnvSpec, claimPolicyOf, type ClaimPolicy } from './claims/claim-policy.js';
import { deviceEnvSpec, devicePolicyOf, type DevicePolicy } from './device-codes/device-policy.js';
import { mailConfigOf, mailEnvSpec, type MailConfig } from './mail/mail-config.js';
import type { RegistrationPolicy } from './trial-agents/registration-caps.js';

const MAX_TRIAL_DAYS = 365;
const MS_PER_DAY = 86_400_000;
const MAX_REGISTRATIONS_PER_DAY = 1_000_000;

export const identityEnvSpec = {
  ...databaseEnvSpec('IDENTITY'),
  WELCOME_BONUS_CREDITS: creditAmount({
    desc: 'Credits a formal account starts with.',
    default: parseCredits('1000'),
  }),
  TRIAL_CREDITS: creditAmount({ desc: 'Credits a trial agent starts with.', default: parseCredits('50') }),
  TRIAL_DAYS: integer({
    desc: 'Days after which the credits and the key of a trial agent expire.',
    min: 1,
    max: MAX_TRIAL_DAYS,
    default: 7,
  }),
  TRIAL_MAX_CALL_CREDITS: creditAmount({
    desc: 'Highest price of a single call that a trial account may make, in credits.',
    default: parseCredits('5'),
  }),
  TRIAL_REGISTRATIONS_PER_ADDRESS_PER_DAY: integer({
    desc: 'Trial agents that one client address may register in a UTC day.',
    min: 0,
    max: MAX_REGISTRATIONS_PER_DAY,
    default: 5,
  }),
  TRIAL_REGISTRATIONS_PER_NETWORK_PER_DAY: integer({
    desc: 'Trial agents that one client network (IPv4 /24, IPv6 /64) may register in a UTC day.',
    min: 0,
    max: MAX_REGISTRATIONS_PER_DAY,
    default: 20,
  }),
  TRIAL_DAILY_BUDGET_CREDITS: creditAmount({
    desc: 'Trial credits that the whole deployment gives away in a UTC day.',
    default: parseCredits('5000'),
  }),
  DEMO_CREDITS: creditAmount({
    desc: 'Credits of the demo account that a first start creates.',
    default: parseCredits('1000'),
  }),
  OAUTH_REFRESH_DAYS: integer({
    desc: 'Days for which a program to which a person gave access may refresh its tokens; then they consent again.',
    min: 1,
    max: 365,
    default: 30,
  }),
  ...deviceEnvSpec,
  ...claimEnvSpec,
  ...mailEnvSpec,
  ...externalIssuersEnvSpec,
};

export interface IdentityConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly policy: RegistrationPolicy & GrantPolicy & { readonly maxCallCredits: Credits };
  readonly demoCredits: Credits;
  /** Milliseconds for which a consent lasts. */
  readonly refreshMs: number;
  readonly devices: DevicePolicy;
  readonly claims: ClaimPolicy;
  /** Absent where the deployment sends no mail. */
  readonly mail?: MailConfig;
  /** Whose tokens are taken beside our own. */
  readonly externalIssuers: readonly ExternalIssuer[];
}

/** Throws `ConfigError`, which names every variable at fault. */
export function loadIdentityConfig(env: NodeJS.ProcessEnv): IdentityConfig {
  const values = loadEnv(identityEnvSpec, env);
  const amounts = {
    WELCOME_BONUS_CREDITS: values.WELCOME_BONUS_CREDITS,
    TRIAL_CREDITS: values.TRIAL_CREDITS,
    TRIAL_MAX_CALL_CREDITS: values.TRIAL_MAX_CALL_CREDITS,
    TRIAL_DAILY_BUDGET_CREDITS: values.TRIAL_DAILY_BUDGET_CREDITS,
    DEMO_CREDITS: values.DEMO_CREDITS,
  };
  const negative = Object.entries(amounts).filter(([, amount]) => amount < 0n);
  if (negative.length > 0) {
    const say = (amount: Credits): string => `must not be negative, got "${formatCredits(amount)}"`;
    throw new ConfigError(Object.fromEntries(negative.map(([name, amount]) => [name, say(amount)])));
  }
  const mail = mailConfigOf(values);
  return {
    databaseUrl: values.IDENTITY_DATABASE_URL,
    databasePoolSize: values.IDENTITY_DATABASE_POOL_SIZE,
    policy: {
      welcomeBonus: amounts.WELCOME_BONUS_CREDITS,
      trialCredits: amounts.TRIAL_CREDITS,
      trialDays: values.TRIAL_DAYS,
      maxCallCredits: amounts.TRIAL_MAX_CALL_CREDITS,
      perAddressPerDay: values.TRIAL_REGISTRATIONS_PER_ADDRESS_PER_DAY,
      perNetworkPerDay: values.TRIAL_REGISTRATIONS_PER_NETWORK_PER_DAY,
      dailyBudget: amounts.TRIAL_DAILY_BUDGET_CREDITS,
    },
    demoCredits: amounts.DEMO_CREDITS,
    refreshMs: values.OAUTH_REFRESH_DAYS * MS_PER_DAY,
    devices: devicePolicyOf(values),
    claims: claimPolicyOf(values),
    ...(mail === undefined ? {} : { mail }),
    externalIssuers: externalIssuersOf(values),
  };
}
