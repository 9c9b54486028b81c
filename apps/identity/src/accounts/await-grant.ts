import type { AvailableCreditsResponse } from '@capability-router/contracts';
import { delay, jsonBody, type ServiceClient } from '@capability-router/service-kit';
import type { InitialGrant } from './account.js';

/** Milliseconds that the answer to a new account waits for its first grant. */
const PATIENCE_MS = 2_000;
/** Milliseconds between questions: short at first, since the grant is mostly booked by then. */
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 160;

/**
 * Waits until billing has booked what a new account starts with, so that its first request finds the credits. To be called
 * after the commit, before anybody knows a key of the account: nobody can have spent any of it. False: it is not booked
 * after two seconds, or billing does not answer, and comes later.
 */
export async function awaitGrant(
  billing: ServiceClient,
  accountId: string,
  grant: Pick<InitialGrant, 'amount'>,
): Promise<boolean> {
  if (grant.amount === 0n) return true;
  const deadline = performance.now() + PATIENCE_MS;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    if (await isBooked(billing, accountId, leftMs)) return true;
    await delay(Math.min(pollMs, leftMs));
  }
}

async function isBooked(billing: ServiceClient, accountId: string, leftMs: number): Promise<boolean> {
  try {
    const path = `/internal/accounts/${encodeURIComponent(accountId)}/available`;
    const answer = await billing.request({ method: 'GET', path, timeoutMs: Math.max(1, Math.ceil(leftMs)) });
    return answer.status === 200 && BigInt(jsonBody<AvailableCreditsResponse>(answer).availableMicroCredits) > 0n;
  } catch {
    // Billing is away; it books the grant when it is back.
    return false;
  }
}
