import { toIso, ZERO_CREDITS, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { accountsIn } from '../accounts/accounts-in.js';
import { appendAccountEvents } from '../accounts/append-account-event.js';
import { hasAccount } from '../accounts/has-account.js';
import { keepKeys } from '../api-keys/keep-keys.js';
import { newChange, type Change } from '../evictions/change.js';
import type { EmailAddress } from '../email-addresses/email-address.js';
import { TRIAL_KEY_NAME } from '../trial-agents/new-trial.js';
import { trialAgentsIn } from '../trial-agents/trial-agents-in.js';
import { removeClaim } from './claim-records.js';
import { takeWelcomeBonus } from '../welcome-bonuses/take-welcome-bonus.js';

export interface FormaliseTrial {
  readonly accountId: string;
  readonly claimId: string;
  readonly address: EmailAddress;
  readonly nowMs: number;
}

export type FormaliseResult =
  | {
      readonly status: 'claimed';
      readonly accountId: string;
      readonly claimId: string;
      readonly bonus: Credits;
      /** Replicas of the gateway say that they act by it. */
      readonly change: Change;
    }
  | { readonly status: 'email_taken' };

/**
 * Makes a trial whose account is locked a formal account: same id, keys, balance and history. Its own key lasts and gets
 * the scope `manage`; a key that was rotated away, or given an end of its own, ends as it would have. The trial's credits expire when they would have; a mailbox gets its welcome bonus once, ever.
 */
export async function formalise(
  tx: pg.ClientBase,
  { accountId, claimId, address, nowMs }: FormaliseTrial,
  { pepper, welcomeBonus }: { readonly pepper: string; readonly welcomeBonus: Credits },
): Promise<FormaliseResult> {
  const { email, canonical } = address;
  // Claims of one mailbox come after each other here; the second then finds the account of the first.
  const isFirst = await takeWelcomeBonus(tx, pepper, canonical, nowMs);
  if (await hasAccount(tx, address)) return { status: 'email_taken' };
  const bonus = isFirst ? welcomeBonus : ZERO_CREDITS;
  await (await accountsIn(tx)).update({ accountId }, { kind: 'formal', email, emailCanonical: canonical });
  const trials = await trialAgentsIn(tx);
  await trials.update({ accountId }, { claimedAt: new Date(nowMs) });
  await removeClaim(tx, accountId);
  const { expiresAt: trialEnds } = await trials.findOneByOrFail({ accountId });
  const keys = await keepKeys(tx, { accountId, trialEnds, ownName: TRIAL_KEY_NAME, nowMs });
  const at = toIso(nowMs);
  const change = newChange(nowMs);
  const data = {
    accountId,
    claimId,
    welcomeBonusMicroCredits: bonus.toString(),
    changeId: change.changeId,
    claimedAt: at,
  };
  await appendAccountEvents(
    tx,
    [
      ...keys.map(({ apiKeyId, scopes }) => ({
        type: 'ApiKeyScopesGranted' as const,
        data: { accountId, apiKeyId, scopes, changedAt: at },
      })),
      { type: 'AgentClaimed', data },
    ],
    nowMs,
    'following',
  );
  return { status: 'claimed', accountId, claimId, bonus, change };
}
