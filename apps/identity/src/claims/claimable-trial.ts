import type pg from 'pg';
import { lockAccount } from '../accounts/lock-account.js';
import { hashClaimCode } from '../trial-agents/claim-code.js';
import { trialAgentsIn } from '../trial-agents/trial-agents-in.js';

export interface ClaimableTrial {
  readonly accountId: string;
}

/**
 * Finds the trial of a claim code and locks its account. Undefined for a code of no trial, and for a trial that is claimed,
 * over, suspended or closed: who has the code learns to register anew in each of these cases.
 */
export async function lockClaimableTrial(
  tx: pg.ClientBase,
  claimCode: string,
  nowMs: number,
): Promise<ClaimableTrial | undefined> {
  const trials = await trialAgentsIn(tx);
  const where = { claimCodeHash: hashClaimCode(claimCode) };
  const found = await trials.findOne({ select: { agentId: true, accountId: true }, where });
  if (found === null) return undefined;
  const { accountId } = found;
  const account = await lockAccount(tx, accountId);
  // It may have been claimed or erased while the lock was waited for.
  const trial = await trials.findOne({ select: { agentId: true, claimedAt: true, expiresAt: true }, where });
  const open = trial !== null && trial.claimedAt === null && trial.expiresAt.getTime() > nowMs;
  return open && account?.status === 'active' && account.kind === 'trial' ? { accountId } : undefined;
}
