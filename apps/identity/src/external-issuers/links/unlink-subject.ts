import type { SubjectUnlinkingReason } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { appendAccountEvent } from '../../accounts/append-account-event.js';
import { lockAccount } from '../../accounts/lock-account.js';
import { findLink, markLinkRemoved, type SubjectLink } from './subject-links.sql.js';

export type UnlinkSubjectResult =
  | { readonly status: 'removed' | 'already_removed'; readonly accountId: string; readonly removedAtMs: number }
  | { readonly status: 'unknown_link' };

interface Removal {
  readonly reason: SubjectUnlinkingReason;
  /** Account of the administrator. */
  readonly removedBy: string;
  readonly nowMs: number;
}

/**
 * The end of a link and its `ExternalSubjectUnlinked`, in the caller's transaction. Repeating it changes nothing. A closed
 * account has no links: its subjects stay refused until they are linked to another one.
 */
export async function unlinkSubject(
  tx: pg.ClientBase,
  externalSubjectId: string,
  { removedBy, nowMs }: Pick<Removal, 'removedBy' | 'nowMs'>,
): Promise<UnlinkSubjectResult> {
  const found = await findLink(tx, externalSubjectId);
  if (found === undefined) return { status: 'unknown_link' };
  await lockAccount(tx, found.accountId);
  // It may have been removed, or gone with its account, while the lock was waited for.
  const link = await findLink(tx, externalSubjectId);
  if (link === undefined) return { status: 'unknown_link' };
  const { accountId, removedAt, accountStatus } = link;
  if (removedAt !== null) return { status: 'already_removed', accountId, removedAtMs: removedAt.getTime() };
  if (accountStatus === 'closed') return { status: 'unknown_link' };
  await endLink(tx, link, { reason: 'administrator', removedBy, nowMs });
  return { status: 'removed', accountId, removedAtMs: nowMs };
}

/** The caller holds the lock of the account. */
export async function endLink(
  tx: pg.ClientBase,
  { externalSubjectId, accountId }: Pick<SubjectLink, 'externalSubjectId' | 'accountId'>,
  { reason, removedBy, nowMs }: Removal,
): Promise<void> {
  if (!(await markLinkRemoved(tx, externalSubjectId, new Date(nowMs)))) return;
  const data = { accountId, externalSubjectId, reason, removedBy, removedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'ExternalSubjectUnlinked', data }, nowMs, 'following');
}
