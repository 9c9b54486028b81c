import { ZERO_CREDITS, type Credits } from '@capability-router/kernel';
import { inTransaction, type ExternalIssuer, type OpenAccounts } from '@capability-router/service-kit';
import type pg from 'pg';
import { MAX_ACCOUNT_NAME_LENGTH } from '../accounts/account.js';
import { openAccount } from '../accounts/open-account.js';
import { assignPlan } from '../rate-limit-plans/assign-plan.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import { takeCaps } from '../trial-agents/take-caps.js';
import { takeWelcomeBonus } from '../welcome-bonuses/take-welcome-bonus.js';
import { findSubjectAccount, insertSubject, lockSubject } from './subject-accounts.sql.js';

/** Stands where an administrator would as whoever gave the account its plan. */
const BY_CONFIGURATION = 'EXTERNAL_ISSUERS';

export interface OpenSubjectAccount {
  readonly issuer: Pick<ExternalIssuer, 'name' | 'iss'>;
  readonly subject: string;
  readonly subjectHash: Buffer;
  readonly opening: OpenAccounts;
  /** Absent where the deployment has none. */
  readonly pepper: string | undefined;
  readonly nowMs: number;
}

export type OpenSubjectAccountResult = 'opened' | 'exists' | 'capped' | 'unknown_plan';

class NotOpened extends Error {
  constructor(readonly result: 'capped' | 'unknown_plan') {
    super(result);
  }
}

/**
 * Opens the account of a subject, once on all replicas: account, subject, plan, count of the day and their events in one
 * transaction. A refusal leaves every row as it was.
 */
export async function openSubjectAccount(
  pool: pg.Pool,
  command: OpenSubjectAccount,
): Promise<OpenSubjectAccountResult> {
  try {
    return await inTransaction(pool, (tx) => openIn(tx, command));
  } catch (error) {
    if (error instanceof NotOpened) return error.result;
    throw error;
  }
}

async function openIn(tx: pg.ClientBase, command: OpenSubjectAccount): Promise<'opened' | 'exists'> {
  const { issuer, subject, subjectHash, opening, nowMs } = command;
  await lockSubject(tx, subjectHash);
  if ((await findSubjectAccount(tx, subjectHash)) !== undefined) return 'exists';
  const cap = { scope: `external issuer:${issuer.name}`, amount: 1n, allowed: BigInt(opening.perDay) };
  if ((await takeCaps(tx, utcDayOf(nowMs), [cap])).length > 0) throw new NotOpened('capped');
  const opened = await openAccount(tx, {
    kind: 'formal',
    // By it an operator finds the account; it goes when the account is erased.
    name: [...`${issuer.name} ${subject}`].slice(0, MAX_ACCOUNT_NAME_LENGTH).join(''),
    grant: { category: 'welcome_bonus', amount: await welcomeOf(tx, command) },
    issuer: issuer.name,
    nowMs,
  });
  if (opened.status !== 'opened') throw new Error('an account without an e-mail address was refused for one');
  const { accountId } = opened;
  await insertSubject(tx, { subjectHash, iss: issuer.iss, accountId, openedAt: new Date(nowMs) });
  if (opening.plan === undefined) return 'opened';
  const plan = await assignPlan(tx, { accountId, plan: opening.plan, changedBy: BY_CONFIGURATION, nowMs });
  if (plan.status === 'unknown_plan') throw new NotOpened('unknown_plan');
  return 'opened';
}

/** Somebody whose account was erased gets another one, and no second welcome where the deployment can remember it. */
async function welcomeOf(
  tx: pg.ClientBase,
  { issuer, subject, opening, pepper, nowMs }: OpenSubjectAccount,
): Promise<Credits> {
  if (opening.welcomeCredits === ZERO_CREDITS || pepper === undefined) return opening.welcomeCredits;
  // With the space it is no e-mail address.
  const isFirst = await takeWelcomeBonus(tx, pepper, `${issuer.iss} ${subject}`, nowMs);
  return isFirst ? opening.welcomeCredits : ZERO_CREDITS;
}
