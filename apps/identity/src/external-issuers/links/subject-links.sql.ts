import type { Queryable } from '@capability-router/event-store';
import type pg from 'pg';
import type { AccountStatus } from '../../accounts/account.js';

/** A subject of an external issuer, and the account for which its tokens act. */
export interface SubjectLink {
  readonly externalSubjectId: string;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  /** As tokens have it. */
  readonly iss: string;
  /** Null where a token of it opened the account. */
  readonly subject: string | null;
  readonly linkedAt: Date;
  readonly changeId: string | null;
  readonly removedAt: Date | null;
}

const selectSql = `
SELECT s.external_subject_id AS "externalSubjectId", s.account_id AS "accountId", a.status AS "accountStatus", s.issuer AS iss,
       s.subject, s.opened_at AS "linkedAt", s.change_id AS "changeId", s.removed_at AS "removedAt"
  FROM external_subjects s JOIN accounts a USING (account_id)`;

const byHashSql = `${selectSql} WHERE s.subject_hash = $1`;

/** The link of a subject, also to an account that is closed. */
export async function findLinkOfSubject(db: Queryable, subjectHash: Buffer): Promise<SubjectLink | undefined> {
  return (await db.query<SubjectLink>(byHashSql, [subjectHash])).rows[0];
}

const byIdSql = `${selectSql} WHERE s.external_subject_id = $1`;

/** Also one that was removed. */
export async function findLink(db: Queryable, externalSubjectId: string): Promise<SubjectLink | undefined> {
  return (await db.query<SubjectLink>(byIdSql, [externalSubjectId])).rows[0];
}

const ofAccountSql = `${selectSql}
 WHERE s.account_id = $1 AND s.removed_at IS NULL AND a.status <> 'closed'
 ORDER BY s.opened_at DESC, s.external_subject_id
 LIMIT $2`;

/** Those by which somebody can act for the account now: a closed one has none. */
export async function listLinks(db: Queryable, accountId: string, limit: number): Promise<readonly SubjectLink[]> {
  return (await db.query<SubjectLink>(ofAccountSql, [accountId, limit])).rows;
}

const insertSql = `
INSERT INTO external_subjects (external_subject_id, subject_hash, issuer, subject, account_id, opened_at, change_id)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export interface NewLink {
  readonly externalSubjectId: string;
  readonly subjectHash: Buffer;
  readonly iss: string;
  readonly subject: string;
  readonly accountId: string;
  readonly linkedAt: Date;
  readonly changeId: string;
}

export async function insertLink(tx: pg.ClientBase, link: NewLink): Promise<void> {
  const { externalSubjectId, subjectHash, iss, subject, accountId, linkedAt, changeId } = link;
  await tx.query(insertSql, [externalSubjectId, subjectHash, iss, subject, accountId, linkedAt, changeId]);
}

const removeSql = `
UPDATE external_subjects
   SET removed_at = $2, subject = NULL, subject_hash = sha256(convert_to(external_subject_id::text, 'UTF8'))
 WHERE external_subject_id = $1 AND removed_at IS NULL`;

/** The row stays, so that a repetition is answered alike, and says nothing of the subject. False: it was removed before. */
export async function markLinkRemoved(tx: pg.ClientBase, externalSubjectId: string, at: Date): Promise<boolean> {
  return (await tx.query(removeSql, [externalSubjectId, at])).rowCount === 1;
}
