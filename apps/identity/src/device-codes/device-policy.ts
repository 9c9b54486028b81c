import { integer } from '@capability-router/service-kit/config';

const MAX_COUNT = 1_000_000;
const MINUTE_MS = 60_000;

export const deviceEnvSpec = {
  DEVICE_CODE_MINUTES: integer({
    desc: 'Minutes within which a person has to consent to a program that waits on another device.',
    min: 1,
    max: 60,
    default: 10,
  }),
  DEVICE_OPEN_CODES_PER_ADDRESS: integer({
    desc: 'Programs at one client address that may wait for a consent at one time.',
    min: 1,
    max: MAX_COUNT,
    default: 100,
  }),
  DEVICE_OPEN_CODES_PER_CLIENT: integer({
    desc: 'Programs of one OAuth client that may wait for a consent at one time.',
    min: 1,
    max: MAX_COUNT,
    default: 10_000,
  }),
  DEVICE_WRONG_CODES_PER_ADDRESS_PER_DAY: integer({
    desc: 'Codes of no waiting program that one client address may enter in a UTC day.',
    min: 1,
    max: MAX_COUNT,
    default: 50,
  }),
  DEVICE_WRONG_CODES_PER_NETWORK_PER_DAY: integer({
    desc: 'Codes of no waiting program that one client network (IPv4 /24, IPv6 /64) may enter in a UTC day.',
    min: 1,
    max: MAX_COUNT,
    default: 200,
  }),
  DEVICE_MAILS_PER_EMAIL_PER_DAY: integer({
    desc: 'Codes for signing in that are mailed to one mailbox in a UTC day.',
    min: 0,
    max: MAX_COUNT,
    default: 10,
  }),
  DEVICE_MAILS_PER_ADDRESS_PER_DAY: integer({
    desc: 'Codes for signing in that one client address may have mailed in a UTC day.',
    min: 0,
    max: MAX_COUNT,
    default: 20,
  }),
  DEVICE_MAILS_PER_NETWORK_PER_DAY: integer({
    desc: 'Codes for signing in that one client network (IPv4 /24, IPv6 /64) may have mailed in a UTC day.',
    min: 0,
    max: MAX_COUNT,
    default: 60,
  }),
};

/** Bounds on consents by the device flow. Those `PerDay` are for a UTC day. */
export interface DevicePolicy {
  readonly codeMs: number;
  readonly openPerAddress: number;
  readonly openPerClient: number;
  readonly wrongPerAddressPerDay: number;
  readonly wrongPerNetworkPerDay: number;
  readonly mailsPerEmailPerDay: number;
  readonly mailsPerAddressPerDay: number;
  readonly mailsPerNetworkPerDay: number;
}

export const devicePolicyOf = (values: Readonly<Record<keyof typeof deviceEnvSpec, number>>): DevicePolicy => ({
  codeMs: values.DEVICE_CODE_MINUTES * MINUTE_MS,
  openPerAddress: values.DEVICE_OPEN_CODES_PER_ADDRESS,
  openPerClient: values.DEVICE_OPEN_CODES_PER_CLIENT,
  wrongPerAddressPerDay: values.DEVICE_WRONG_CODES_PER_ADDRESS_PER_DAY,
  wrongPerNetworkPerDay: values.DEVICE_WRONG_CODES_PER_NETWORK_PER_DAY,
  mailsPerEmailPerDay: values.DEVICE_MAILS_PER_EMAIL_PER_DAY,
  mailsPerAddressPerDay: values.DEVICE_MAILS_PER_ADDRESS_PER_DAY,
  mailsPerNetworkPerDay: values.DEVICE_MAILS_PER_NETWORK_PER_DAY,
});
