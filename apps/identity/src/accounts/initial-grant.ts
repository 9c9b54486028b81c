import type { AccountKind } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';
import type { InitialGrant } from './account.js';

const DAY_MS = 86_400_000;

export interface GrantPolicy {
  readonly welcomeBonus: Credits;
  readonly trialCredits: Credits;
  readonly trialDays: number;
}

/** When a trial that begins now ends, and its credits and key with it. Milliseconds since the epoch. */
export const trialEndMs = (policy: Pick<GrantPolicy, 'trialDays'>, nowMs: number): number =>
  nowMs + policy.trialDays * DAY_MS;

/** Trial credits lapse with the trial; a welcome bonus does not expire. `amount` overrides the policy's. */
export function initialGrantFor(kind: AccountKind, policy: GrantPolicy, nowMs: number, amount?: Credits): InitialGrant {
  return kind === 'trial'
    ? { category: 'trial', amount: amount ?? policy.trialCredits, expiresAtMs: trialEndMs(policy, nowMs) }
    : { category: 'welcome_bonus', amount: amount ?? policy.welcomeBonus };
}
