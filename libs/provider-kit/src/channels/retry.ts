import { setTimeout as delay } from 'node:timers/promises';
import { isRefusedCall, type ProviderAnswer, type ProviderFailure } from '../provider-adapter.js';

/** Attempts after the first. */
const MAX_RETRIES = 2;
/** Milliseconds; doubles with each retry. */
const BASE_DELAY_MS = 100;
/** Milliseconds. A provider that wants to be left alone for longer is not waited for. */
export const MAX_RETRY_DELAY_MS = 5_000;
/** Milliseconds that have to be left for an attempt, or it is not worth making. */
const MIN_ATTEMPT_MS = 50;

/**
 * Repeats an attempt whose failure may pass, with jitter, as long as the deadline leaves room and the provider did not ask
 * for more patience than that. The last failure is the answer.
 */
export async function withRetries(
  attempt: (remainingMs: number) => Promise<ProviderAnswer>,
  deadlineMs: number,
): Promise<ProviderAnswer> {
  const endsAt = performance.now() + deadlineMs;
  let mayHaveBeenSent = false;
  for (let retry = 0; ; retry += 1) {
    const answer = toldOf(await attempt(endsAt - performance.now()), mayHaveBeenSent);
    if (answer.kind === 'answered' || isRefusedCall(answer)) return answer;
    mayHaveBeenSent ||= answer.sent !== false;
    if (!answer.retryable || retry >= MAX_RETRIES) return answer;
    const waitMs = waitBefore(retry, answer);
    if (waitMs > MAX_RETRY_DELAY_MS || performance.now() + waitMs + MIN_ATTEMPT_MS > endsAt) return answer;
    await delay(waitMs);
  }
}

/** That the last attempt sent nothing says nothing of those before it. */
function toldOf(answer: ProviderAnswer, mayHaveBeenSent: boolean): ProviderAnswer {
  if (!mayHaveBeenSent || answer.kind === 'answered' || answer.sent === undefined) return answer;
  const { sent: _ofTheLast, ...rest } = answer;
  return rest;
}

function waitBefore(retry: number, { retryAfterMs = 0 }: ProviderFailure): number {
  // Full jitter: those who failed together do not come back together.
  return retryAfterMs + Math.random() * BASE_DELAY_MS * 2 ** retry;
}
