import { toIso } from '@capability-router/kernel';
import type { Queryable } from '@capability-router/event-store';
import type { MailState } from './mail.entity.js';

export interface LeasedMail {
  readonly mailId: string;
  readonly sealed: Buffer;
  /** This one counted. It also names the lease: the next one has another. */
  readonly attempts: number;
  readonly expiresAt: Date;
}

// Replicas pass over what another has locked, and over what another has leased.
const leaseSql = `
UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
 WHERE mail_id = (SELECT mail_id FROM mails
                   WHERE state = 'waiting' AND next_attempt_at <= $1
                   ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING mail_id AS "mailId", sealed, attempts, expires_at AS "expiresAt"`;

/** Takes the mail that has waited longest for its turn. Nobody else takes it before `untilMs`. */
export async function leaseMail(db: Queryable, nowMs: number, untilMs: number): Promise<LeasedMail | undefined> {
  return (await db.query<LeasedMail>(leaseSql, [toIso(nowMs), toIso(untilMs)])).rows[0];
}

const endSql = `UPDATE mails SET state = $3, sealed = NULL WHERE mail_id = $1 AND attempts = $2 AND state = 'waiting'`;

/** Ends a mail, unless its lease has gone to another. */
export async function endMail(
  db: Queryable,
  { mailId, attempts }: LeasedMail,
  state: Exclude<MailState, 'waiting'>,
): Promise<void> {
  await db.query(endSql, [mailId, attempts, state]);
}

const postponeSql = `UPDATE mails SET next_attempt_at = $3 WHERE mail_id = $1 AND attempts = $2 AND state = 'waiting'`;

/** Gives the lease back until the next attempt is due. */
export async function postponeMail(db: Queryable, { mailId, attempts }: LeasedMail, untilMs: number): Promise<void> {
  await db.query(postponeSql, [mailId, attempts, toIso(untilMs)]);
}

const waitingSql = `SELECT count(*)::int AS waiting FROM (SELECT FROM mails WHERE state = 'waiting' LIMIT $1) AS counted`;

/** Mails that wait, counted up to `atMost`. */
export async function countWaiting(db: Queryable, atMost: number): Promise<number> {
  return (await db.query<{ waiting: number }>(waitingSql, [atMost])).rows[0]?.waiting ?? 0;
}

const purgeSql = `
DELETE FROM mails WHERE mail_id IN (
  SELECT mail_id FROM mails WHERE state <> 'waiting' AND created_at < $1 LIMIT $2)`;

/** Forgets mails that have ended and began before `beforeMs`, `limit` at most. Resolves to how many. */
export async function deleteEnded(db: Queryable, beforeMs: number, limit: number): Promise<number> {
  return (await db.query(purgeSql, [toIso(beforeMs), limit])).rowCount ?? 0;
}
