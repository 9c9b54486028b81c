import type { AvailableCreditsResponse, GrantBookedResponse } from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import { delay, jsonBody, type ServiceClient } from '@capability-router/service-kit';

/** Milliseconds that the answer to a claim waits for its bonus. */
const PATIENCE_MS = 2_000;
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 160;

/** Waits until billing has booked the bonus of a claim. False: it is not booked after two seconds, and comes later. */
export async function awaitBonus(billing: ServiceClient, accountId: string, claimId: string): Promise<boolean> {
  const path = `/internal/accounts/${accountId}/grants/${claimId}`;
  const deadline = performance.now() + PATIENCE_MS;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    const answer = await ask<GrantBookedResponse>(billing, path, leftMs);
    if (answer?.booked === true) return true;
    await delay(Math.min(pollMs, leftMs));
  }
}

/** Credits that the account can spend; undefined where billing does not answer. */
export async function remainingCredits(billing: ServiceClient, accountId: string): Promise<number | undefined> {
  const answer = await ask<AvailableCreditsResponse>(billing, `/internal/accounts/${accountId}/available`, PATIENCE_MS);
  return answer === undefined ? undefined : creditsToNumber(creditsFromMicro(BigInt(answer.availableMicroCredits)));
}

async function ask<T>(billing: ServiceClient, path: string, leftMs: number): Promise<T | undefined> {
  try {
    const answer = await billing.request({ method: 'GET', path, timeoutMs: Math.max(1, Math.ceil(leftMs)) });
    return answer.status === 200 ? jsonBody<T>(answer) : undefined;
  } catch {
    // Billing is away; it books the bonus when it is back.
    return undefined;
  }
}
