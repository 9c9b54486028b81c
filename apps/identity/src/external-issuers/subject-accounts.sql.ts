import type { AccountKind } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';
import type pg from 'pg';
import type { AccountStatus } from '../accounts/account.js';
import type { RatePlanColumns } from '../rate-limit-plans/rate-limit-plan.js';
import { ratePlanColumns, ratePlanJoin } from '../rate-limit-plans/rate-plan-of-account.sql.js';

/** The account for which a token of an external issuer acts. */
export interface SubjectAccount extends RatePlanColumns {
  readonly accountId: string;
  readonly accountKind: AccountKind;
  readonly accountStatus: AccountStatus;
  /** The account is blocked for non-payment. */
  readonly paymentRequired: boolean;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
  readonly openedAt: Date;
  /** The link by which the token acts for it; absent where all tokens of the issuer do. */
  readonly externalSubjectId?: string;
}

const columns = `
a.account_id AS "accountId", a.kind AS "accountKind", a.status AS "accountStatus",
a.payment_required AS "paymentRequired", a.region, a.opened_at AS "openedAt",
${ratePlanColumns}`;

// Both are named, so that each connection plans them once: they are what a gateway cache miss asks.
const ofSubject = {
  name: 'find-account-of-subject',
  text: `
SELECT ${columns}, s.external_subject_id AS "externalSubjectId"
  FROM external_subjects s JOIN accounts a USING (account_id) ${ratePlanJoin}
 WHERE s.subject_hash = $1`,
};
const byId = {
  name: 'find-account-of-issuer',
  text: `SELECT ${columns} FROM accounts a ${ratePlanJoin} WHERE a.account_id = $1`,
};

/** The one that was opened for a subject, or that it was linked to. */
export async function findSubjectAccount(db: Queryable, subjectHash: Buffer): Promise<SubjectAccount | undefined> {
  return (await db.query<SubjectAccount>({ ...ofSubject, values: [subjectHash] })).rows[0];
}

/** The one that an issuer's tokens share. */
export async function findSharedAccount(db: Queryable, accountId: string): Promise<SubjectAccount | undefined> {
  return (await db.query<SubjectAccount>({ ...byId, values: [accountId] })).rows[0];
}

const lockSql = `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`;

/** One at a time opens an account for a subject, on all replicas; ends with the transaction. */
export async function lockSubject(tx: pg.ClientBase, subjectHash: Buffer): Promise<void> {
  await tx.query(lockSql, [`external subject ${subjectHash.toString('hex')}`]);
}

const insertSql = `INSERT INTO external_subjects (subject_hash, issuer, account_id, opened_at) VALUES ($1, $2, $3, $4)`;

export interface NewSubject {
  readonly subjectHash: Buffer;
  /** As tokens have it. */
  readonly iss: string;
  readonly accountId: string;
  readonly openedAt: Date;
}

export async function insertSubject(tx: pg.ClientBase, subject: NewSubject): Promise<void> {
  await tx.query(insertSql, [subject.subjectHash, subject.iss, subject.accountId, subject.openedAt]);
}

const removeSql = `DELETE FROM external_subjects WHERE account_id = $1`;

/** Whoever had the account is not known any more. */
export async function removeSubjects(tx: pg.ClientBase, accountId: string): Promise<void> {
  await tx.query(removeSql, [accountId]);
}
