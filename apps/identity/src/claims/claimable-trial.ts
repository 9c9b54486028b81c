import type pg from 'pg';
import { lockAccount } from '../accounts/lock-account.js';
import { hashClaimCode } from '../trial-agents/claim-code.js';
import { trialAgentsIn } from '../trial-agents/trial-agents-in.js';

export type ClaimableTrial =
  | { readonly status: 'claimable'; readonly accountId: string }
  | {
      /** Claimed before, and its account goes on. The code of the mail is forgotten by then, so nothing of the account may be told. */
      readonly status: 'claimed_before';
    }
  | { readonly status: 'unknown_claim' };

/**
 * Finds the trial of a claim code and locks its account. Unknown is a code of no trial, and a trial that is over, suspended or
 * closed: who has the code learns to register anew in each of these cases.
 */
export async function lockClaimableTrial(tx: pg.ClientBase, claimCode: string, nowMs: number): Promise<ClaimableTrial> {
  const trials = await trialAgentsIn(tx);
  const where = { claimCodeHash: hashClaimCode(claimCode) };
  const found = await trials.findOne({ select: { agentId: true, accountId: true }, where });
  if (found === null) return { status: 'unknown_claim' };
  const { accountId } = found;
  const account = await lockAccount(tx, accountId);
  // It may have been claimed or erased while the lock was waited for.
  const trial = await trials.findOne({ select: { agentId: true, claimedAt: true, expiresAt: true }, where });
  if (trial === null || account?.status !== 'active') return { status: 'unknown_claim' };
  if (trial.claimedAt !== null) return { status: 'claimed_before' };
  const open = trial.expiresAt.getTime() > nowMs && account.kind === 'trial';
  return open ? { status: 'claimable', accountId } : { status: 'unknown_claim' };
}
