import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MailConfig } from './mail-config.js';
import { MailRefused } from './mail-refused.js';
import type { SendMail } from './mail.js';
import { endMail, leaseMail, postponeMail, type LeasedMail } from './outbox.sql.js';
import { renderMail } from './render-mail.js';
import { openMail } from './sealed-mail.js';

/** Milliseconds for which a replica has a mail to itself: longer than any attempt lasts. */
const LEASE_MS = 120_000;
/** Milliseconds after which an attempt counts as failed, whatever the server still says. */
const ATTEMPT_MS = 90_000;
/** Mails that one replica sends at one time, and in one round. */
const AT_ONCE = 4;
const PER_ROUND = 200;
/** Milliseconds before the second attempt; twice as long before each further one, up to the longest. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export type MailOutcome = 'sent' | 'postponed' | 'failed' | 'expired';

export interface Delivery {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly config: Pick<MailConfig, 'pepper' | 'domain'>;
  readonly send: SendMail;
  readonly logger: Logger;
  readonly ended: (outcome: MailOutcome) => void;
}

/** Sends what is due. Replicas may do it at once: each mail has one of them at a time. */
export async function deliverMails(delivery: Delivery): Promise<void> {
  if (!(await deliverNext(delivery))) return;
  await Promise.all(Array.from({ length: AT_ONCE }, () => deliverSome(delivery, PER_ROUND / AT_ONCE)));
}

async function deliverSome(delivery: Delivery, atMost: number): Promise<void> {
  for (let count = 0; count < atMost; count += 1) if (!(await deliverNext(delivery))) return;
}

/** False: nothing is due. */
async function deliverNext(delivery: Delivery): Promise<boolean> {
  const { pool, clock } = delivery;
  const nowMs = clock.nowMs();
  const mail = await leaseMail(pool, nowMs, nowMs + LEASE_MS);
  if (mail === undefined) return false;
  delivery.ended(await deliver(delivery, mail, nowMs));
  return true;
}

/** A process that dies after the server took the mail and before this is recorded sends it again, under the same id. */
async function deliver(delivery: Delivery, mail: LeasedMail, nowMs: number): Promise<MailOutcome> {
  const { pool, clock, config, logger } = delivery;
  const { mailId, attempts } = mail;
  if (mail.expiresAt.getTime() <= nowMs) {
    await endMail(pool, mail, 'failed');
    logger.warn({ mailId, attempts }, 'a mail was not sent while it was of use');
    return 'expired';
  }
  try {
    const content = openMail(config.pepper, mailId, mail.sealed);
    await inTime(delivery.send(await renderMail(content, `<${mailId}@${config.domain}>`)));
  } catch (error) {
    const refused = error instanceof MailRefused;
    logger.warn({ mailId, attempts, reason: reasonOf(error) }, refused ? 'a mail is refused' : 'a mail waits');
    if (refused) await endMail(pool, mail, 'failed');
    else await postponeMail(pool, mail, clock.nowMs() + retryMs(attempts));
    return refused ? 'failed' : 'postponed';
  }
  await endMail(pool, mail, 'sent');
  return 'sent';
}

async function inTime(attempt: Promise<void>): Promise<void> {
  const ended = new AbortController();
  const late = delay(ATTEMPT_MS, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new Error('the mail server takes too long');
  });
  try {
    await Promise.race([attempt, late]);
  } finally {
    ended.abort();
  }
}

export const retryMs = (attempts: number): number => Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS);

/** A code of nodemailer or of the server: what a server says may repeat the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof MailRefused ? error.cause : error;
  if (typeof cause !== 'object' || cause === null) return 'unknown';
  const { code, responseCode, name } = cause as { code?: unknown; responseCode?: unknown; name?: unknown };
  return [code, responseCode, name].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}
