import { uuidv7 } from '@capability-router/kernel';
import type pg from 'pg';
import type { MailConfig } from './mail-config.js';
import type { Mail } from './mail.js';
import { mailsIn } from './mails-in.js';
import { sealMail } from './sealed-mail.js';

export interface MailToSend {
  readonly accountId: string;
  readonly mail: Mail;
  readonly nowMs: number;
  /** Milliseconds since the epoch; afterwards it is not tried any more. */
  readonly expiresAtMs: number;
}

/** Puts a mail into the outbox in the caller's transaction: it is sent exactly when that commits. */
export async function enqueueMail(
  tx: pg.ClientBase,
  { pepper }: Pick<MailConfig, 'pepper'>,
  { accountId, mail, nowMs, expiresAtMs }: MailToSend,
): Promise<void> {
  const mailId = uuidv7(nowMs);
  await (
    await mailsIn(tx)
  ).insert({
    mailId,
    accountId,
    state: 'waiting',
    sealed: sealMail(pepper, mailId, mail),
    attempts: 0,
    nextAttemptAt: new Date(nowMs),
    expiresAt: new Date(expiresAtMs),
    createdAt: new Date(nowMs),
  });
}

/** Takes what waits for an account out of the outbox, and what is known of mails that it was sent. */
export async function removeMails(tx: pg.ClientBase, accountId: string): Promise<void> {
  await (await mailsIn(tx)).delete({ accountId });
}
