import { uuidOfName } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendEntries } from '../security-log/chain/append-entries.js';
import { currentOrigin } from '../security-log/origin.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import type { ClaimCap } from './claim-caps.js';
import { riskOfCap } from './claim.responses.js';

export interface BlockedClaim {
  readonly accountId: string;
  readonly cap: ClaimCap['kind'];
}

/**
 * Puts the first claim of a trial that a day blocks for one reason into the security log, in a transaction of its own, since
 * the refusal has undone the other. The entry's id follows from the trial, the reason and the day, so that whoever asks
 * again and again writes nothing more.
 */
export async function recordBlockedClaim(
  pool: pg.Pool,
  { accountId, cap }: BlockedClaim,
  nowMs: number,
): Promise<void> {
  const action = 'claim.blocked';
  const reason = riskOfCap(cap);
  const { actor, requestId, details } = currentOrigin();
  const entry = {
    entryId: uuidOfName([action, accountId, reason, String(utcDayOf(nowMs).endMs)].join(' ')),
    action,
    accountId,
    actor,
    object: { type: 'account', id: accountId },
    reason,
    occurrences: 1,
    ...(requestId === undefined ? {} : { requestId }),
    ...(details === undefined ? {} : { details }),
  };
  await inTransaction(pool, (tx) => appendEntries(tx, [entry], nowMs, 'again'));
}
