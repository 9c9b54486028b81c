import { randomUUID } from 'node:crypto';
import { toIso } from '@capability-router/kernel';
import type { ExternalIssuer } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendAccountEvent } from '../../accounts/append-account-event.js';
import { lockAccount } from '../../accounts/lock-account.js';
import { newChange, type Change } from '../../evictions/change.js';
import { hashSubject } from '../hash-subject.js';
import { lockSubject } from '../subject-accounts.sql.js';
import { endLink } from './unlink-subject.js';
import { findLinkOfSubject, insertLink, listLinks, type SubjectLink } from './subject-links.sql.js';

/** Subjects of one account. */
export const MAX_LINKS_PER_ACCOUNT = 100;

export interface LinkSubject {
  readonly issuer: Pick<ExternalIssuer, 'name' | 'iss'>;
  /** As tokens have it. */
  readonly subject: string;
  readonly accountId: string;
  /** Account of the administrator. */
  readonly linkedBy: string;
  readonly nowMs: number;
}

export type LinkSubjectResult =
  | {
      readonly status: 'linked' | 'already_linked';
      readonly link: Pick<SubjectLink, 'externalSubjectId' | 'linkedAt'>;
      /** Undefined where a token opened the account: it was heard then. */
      readonly change: Change | undefined;
    }
  | { readonly status: 'linked_elsewhere'; readonly to: Pick<SubjectLink, 'externalSubjectId' | 'accountId'> }
  | { readonly status: 'unknown_account' | 'account_not_active' | 'account_is_trial' | 'too_many_links' };

/**
 * The link and its `ExternalSubjectLinked`, in the caller's transaction. A subject of an account that is closed is free again,
 * for administrators alone: no token opens an account for it. Repeating it changes nothing.
 */
export async function linkSubject(tx: pg.ClientBase, command: LinkSubject): Promise<LinkSubjectResult> {
  const { issuer, subject, accountId, linkedBy, nowMs } = command;
  const subjectHash = hashSubject(issuer.iss, subject);
  // Before the account, as by whoever opens one for a subject.
  await lockSubject(tx, subjectHash);
  const account = await lockAccount(tx, accountId);
  if (account === undefined) return { status: 'unknown_account' };
  if (account.status !== 'active') return { status: 'account_not_active' };
  if (account.kind === 'trial') return { status: 'account_is_trial' };
  const before = await findLinkOfSubject(tx, subjectHash);
  if (before?.accountId === accountId) {
    const { changeId, linkedAt } = before;
    const change = changeId === null ? undefined : { changeId, changedAtMs: linkedAt.getTime() };
    return { status: 'already_linked', link: before, change };
  }
  if (before !== undefined && before.accountStatus !== 'closed') return { status: 'linked_elsewhere', to: before };
  if ((await listLinks(tx, accountId, MAX_LINKS_PER_ACCOUNT)).length >= MAX_LINKS_PER_ACCOUNT) {
    return { status: 'too_many_links' };
  }
  if (before !== undefined) {
    // It stays closed, so that nobody who holds its lock waits for the other account.
    await lockAccount(tx, before.accountId);
    await endLink(tx, before, { reason: 'account_closed', removedBy: linkedBy, nowMs });
  }
  const externalSubjectId = randomUUID();
  const change = newChange(nowMs);
  const { changeId } = change;
  const linkedAt = new Date(nowMs);
  await insertLink(tx, { externalSubjectId, subjectHash, iss: issuer.iss, subject, accountId, linkedAt, changeId });
  const data = { accountId, externalSubjectId, issuer: issuer.name, linkedBy, changeId, linkedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ExternalSubjectLinked', data }, nowMs, 'following');
  return { status: 'linked', link: { externalSubjectId, linkedAt }, change };
}
