import { ConfigError, integer } from '@capability-router/service-kit/config';

const MAX_PER_DAY = 1_000_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export const claimEnvSpec = {
  CLAIM_CODE_MINUTES: integer({
    desc: 'Minutes for which a mailed code works, and for which the mail is tried.',
    min: 1,
    max: 1_440,
    default: 30,
  }),
  CLAIM_RESEND_SECONDS: integer({
    desc: 'Seconds after which a trial may ask for another code.',
    min: 1,
    max: 3_600,
    default: 60,
  }),
  CLAIM_CODES_PER_DAY: integer({
    desc: 'Codes that are mailed in a UTC day for one trial.',
    min: 0,
    max: MAX_PER_DAY,
    default: 5,
  }),
  CLAIM_TRIES_PER_DAY: integer({
    desc: 'Codes that may be tried in a UTC day for one trial; of each mailed code five.',
    min: 0,
    max: MAX_PER_DAY,
    default: 15,
  }),
  CLAIM_MAILS_PER_EMAIL_PER_DAY: integer({
    desc: 'Mails to one mailbox in a UTC day, for all trials together.',
    min: 0,
    max: MAX_PER_DAY,
    default: 5,
  }),
  CLAIM_MAILS_PER_ADDRESS_PER_DAY: integer({
    desc: 'Mails that one client address may cause in a UTC day.',
    min: 0,
    max: MAX_PER_DAY,
    default: 20,
  }),
  CLAIM_MAILS_PER_NETWORK_PER_DAY: integer({
    desc: 'Mails that one client network (IPv4 /24, IPv6 /64) may cause in a UTC day.',
    min: 0,
    max: MAX_PER_DAY,
    default: 60,
  }),
};

/** Bounds on claims. Those `PerDay` are for a UTC day. */
export interface ClaimPolicy {
  readonly codeMs: number;
  readonly resendMs: number;
  readonly codesPerDay: number;
  readonly triesPerDay: number;
  readonly mailsPerEmailPerDay: number;
  readonly mailsPerAddressPerDay: number;
  readonly mailsPerNetworkPerDay: number;
}

/** Throws `ConfigError` where a code would have lapsed before another can be asked for. */
export function claimPolicyOf(values: Readonly<Record<keyof typeof claimEnvSpec, number>>): ClaimPolicy {
  const codeMs = values.CLAIM_CODE_MINUTES * MINUTE_MS;
  const resendMs = values.CLAIM_RESEND_SECONDS * SECOND_MS;
  if (resendMs > codeMs) {
    throw new ConfigError({ CLAIM_RESEND_SECONDS: 'must not be longer than CLAIM_CODE_MINUTES' });
  }
  return {
    codeMs,
    resendMs,
    codesPerDay: values.CLAIM_CODES_PER_DAY,
    triesPerDay: values.CLAIM_TRIES_PER_DAY,
    mailsPerEmailPerDay: values.CLAIM_MAILS_PER_EMAIL_PER_DAY,
    mailsPerAddressPerDay: values.CLAIM_MAILS_PER_ADDRESS_PER_DAY,
    mailsPerNetworkPerDay: values.CLAIM_MAILS_PER_NETWORK_PER_DAY,
  };
}
