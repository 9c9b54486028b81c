import { toIso, type Credits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import type { EmailAddress } from '../email-addresses/email-address.js';
import { utcDayOf } from '../trial-agents/registration-caps.js';
import { takeCaps } from '../trial-agents/take-caps.js';
import type { AgentClaimRecord } from './agent-claim.entity.js';
import { triesCap } from './claim-caps.js';
import { isMailedCode } from './claim-code-hash.js';
import type { ClaimPolicy } from './claim-policy.js';
import { claimsIn } from './claim-records.js';
import { lockClaimableTrial } from './claimable-trial.js';
import { formalise, type FormaliseResult } from './formalise-trial.js';

export interface VerifyClaim {
  readonly claimCode: string;
  readonly address: EmailAddress;
  /** Six digits. */
  readonly code: string;
  readonly nowMs: number;
}

export interface ClaimTerms {
  readonly policy: Pick<ClaimPolicy, 'triesPerDay' | 'resendMs'>;
  readonly pepper: string;
  readonly welcomeBonus: Credits;
}

export type VerifyClaimResult =
  | FormaliseResult
  | { readonly status: 'wrong_code'; readonly triesLeft: number }
  | { readonly status: 'unknown_claim' | 'claimed_before' | 'no_code' }
  /** The code is used up for good; another may be asked for from then on. */
  | { readonly status: 'no_tries_left'; readonly againAtMs: number }
  /** The day has no tries left until it ends; the code may have lapsed by then. */
  | { readonly status: 'capped'; readonly resetAtMs: number; readonly codeLasts: boolean };

/**
 * Tries a code. The account's lock is held from before the tries are read until they are written, so that guesses that
 * come together are tried one after the other, and the sixth finds none left. What is refused after it was tried is
 * committed too, because it counts.
 */
export function verifyClaim(pool: pg.Pool, command: VerifyClaim, terms: ClaimTerms): Promise<VerifyClaimResult> {
  return inTransaction(pool, async (tx) => {
    const { nowMs, address, code } = command;
    const trial = await lockClaimableTrial(tx, command.claimCode, nowMs);
    if (trial.status !== 'claimable') return trial;
    const { accountId } = trial;
    const claims = await claimsIn(tx);
    const claim = await claims.findOne({ where: { accountId } });
    if (claim === null || claim.expiresAt.getTime() <= nowMs) return { status: 'no_code' };
    if (claim.triesLeft <= 0) {
      return { status: 'no_tries_left', againAtMs: claim.requestedAt.getTime() + terms.policy.resendMs };
    }
    const window = utcDayOf(nowMs);
    const full = await takeCaps(tx, window, [triesCap(accountId, terms.policy)]);
    if (full.length > 0) {
      return { status: 'capped', resetAtMs: window.endMs, codeLasts: claim.expiresAt.getTime() > window.endMs };
    }
    const tried = { claimId: claim.claimId, email: address.email, code };
    if (!isMailedCode(claim.codeHash, terms.pepper, tried)) return refuse(tx, claim, nowMs);
    return formalise(tx, { accountId, claimId: claim.claimId, address, nowMs }, terms);
  });
}

async function refuse(tx: pg.ClientBase, claim: AgentClaimRecord, nowMs: number): Promise<VerifyClaimResult> {
  const { accountId, claimId } = claim;
  const triesLeft = claim.triesLeft - 1;
  await (await claimsIn(tx)).update({ accountId }, { triesLeft });
  const data = { accountId, claimId, triesLeft, refusedAt: toIso(nowMs) };
  await appendAccountEvent(tx, { type: 'AgentClaimCodeRefused', data }, nowMs, 'following');
  return { status: 'wrong_code', triesLeft };
}
