import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Language } from '@capability-router/contracts';
import { inTransaction, type Secrets } from '@capability-router/service-kit';
import type pg from 'pg';
import { findByEmail } from '../accounts/has-account.js';
import { secretHash } from '../device-codes/codes.js';
import type { DevicePolicy } from '../device-codes/device-policy.js';
import type { EmailAddress } from '../email-addresses/email-address.js';
import { enqueueMail } from '../mail/enqueue-mail.js';
import type { MailConfig } from '../mail/mail-config.js';
import { countWaiting } from '../mail/outbox.sql.js';
import type { ClientNetwork } from '../trial-agents/client-network.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import { takeCaps } from '../trial-agents/take-caps.js';
import { signInMailCaps } from './device-caps.js';
import { lockMailedCode, setMailedCode, type WaitingDevice } from './waiting-device.sql.js';

/** Tries of one mailed code. */
export const TRIES_PER_MAILED_CODE = 5;
/** Milliseconds between two mails for one waiting program. */
export const RESEND_MS = 60_000;
const DIGITS = 6;
const HASH_BYTES = 32;
const MINUTE_MS = 60_000;

export interface MailSignInTerms {
  readonly deviceSecrets: Secrets;
  readonly devices: DevicePolicy;
  readonly mail: MailConfig;
  /** Origin of the deployment, for the mail. */
  readonly publicUrl: string;
}

export interface StartMailSignIn {
  readonly device: WaitingDevice;
  readonly address: EmailAddress;
  readonly language: Language;
  readonly client: ClientNetwork;
  readonly nowMs: number;
}

export type StartMailSignInResult =
  | { readonly status: 'mailed' }
  | { readonly status: 'too_soon'; readonly againAtMs: number }
  | { readonly status: 'capped'; readonly resetAtMs: number }
  | { readonly status: 'outbox_full' }
  | { readonly status: 'not_waiting' };

class Refused extends Error {
  constructor(readonly result: Exclude<StartMailSignInResult, { status: 'mailed' }>) {
    super(`no code is mailed: ${result.status}`);
  }
}

const activeAccountOf = (tx: pg.ClientBase, address: EmailAddress): Promise<string | undefined> =>
  findByEmail(tx, address, { status: 'active' });

/**
 * Puts a code into the outbox. Whether the address has an account changes one value of one row and the words of the mail,
 * which are chosen when it is sent. A refusal leaves every row as it was.
 */
export async function startMailSignIn(
  pool: pg.Pool,
  command: StartMailSignIn,
  terms: MailSignInTerms,
): Promise<StartMailSignInResult> {
  try {
    await inTransaction(pool, (tx) => start(tx, command, terms));
    return { status: 'mailed' };
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}

async function start(
  tx: pg.ClientBase,
  { device, address, language, client, nowMs }: StartMailSignIn,
  { deviceSecrets: [deviceSecret], devices, mail: config, publicUrl: origin }: MailSignInTerms,
): Promise<void> {
  const { deviceId } = device;
  const { email, canonical } = address;
  const before = await lockMailedCode(tx, deviceId);
  if (before === undefined) throw new Refused({ status: 'not_waiting' });
  const againAtMs = before.mailedAt === null ? nowMs : before.mailedAt.getTime() + RESEND_MS;
  if (againAtMs > nowMs) throw new Refused({ status: 'too_soon', againAtMs });
  const window = utcDayOf(nowMs);
  const full = await takeCaps(tx, window, signInMailCaps({ client, canonical }, devices, config.pepper));
  if (full.length > 0) throw new Refused({ status: 'capped', resetAtMs: window.endMs });
  if ((await countWaiting(tx, config.maxWaiting)) >= config.maxWaiting) throw new Refused({ status: 'outbox_full' });

  const accountId = await activeAccountOf(tx, address);
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const hash = secretHash(deviceSecret, 'mailed code', deviceId, email, code);
  const known = accountId !== undefined;
  await setMailedCode(tx, deviceId, {
    hash: known ? hash : randomBytes(HASH_BYTES),
    at: new Date(nowMs),
    tries: TRIES_PER_MAILED_CODE,
  });
  const kind = known ? 'sign_in_code' : 'sign_in_no_account';
  const minutes = Math.max(1, Math.round((device.expiresAt.getTime() - nowMs) / MINUTE_MS));
  const mail = { kind, to: email, language, code, minutes, origin } as const;
  // A mail goes with the account that it is about; that of nobody with the one for which the program was registered.
  const onBehalfOf = accountId ?? device.ownerId;
  await enqueueMail(tx, config, { accountId: onBehalfOf, mail, nowMs, expiresAtMs: device.expiresAt.getTime() });
}

export interface FinishMailSignIn {
  readonly device: WaitingDevice;
  readonly address: EmailAddress;
  /** Six digits, or what was typed in their place. */
  readonly code: string;
}

export type FinishMailSignInResult =
  | { readonly status: 'signed_in'; readonly accountId: string }
  | { readonly status: 'wrong_code'; readonly triesLeft: number }
  | { readonly status: 'no_code' };

/** Tries a code, under the lock of its row. It works once, and a try that fails is committed, because it counts. */
export function finishMailSignIn(
  pool: pg.Pool,
  { device, address, code }: FinishMailSignIn,
  { deviceSecrets }: Pick<MailSignInTerms, 'deviceSecrets'>,
): Promise<FinishMailSignInResult> {
  return inTransaction(pool, async (tx) => {
    const { deviceId } = device;
    const row = await lockMailedCode(tx, deviceId);
    const mailed = row?.mailedHash ?? undefined;
    if (row === undefined || mailed === undefined || row.mailedTries <= 0) return { status: 'no_code' };
    const tried = deviceSecrets.map((secret) => secretHash(secret, 'mailed code', deviceId, address.email, code));
    if (!tried.some((hash) => timingSafeEqual(mailed, hash))) {
      const triesLeft = row.mailedTries - 1;
      await setMailedCode(tx, deviceId, { hash: mailed, tries: triesLeft });
      return { status: 'wrong_code', triesLeft };
    }
    await setMailedCode(tx, deviceId, { hash: null, tries: 0 });
    const accountId = await activeAccountOf(tx, address);
    return accountId === undefined ? { status: 'no_code' } : { status: 'signed_in', accountId };
  });
}
