import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from './demo.js';

const POLL_MS = 50;
/** Milliseconds after which the banner is printed all the same. */
const PATIENCE_MS = 20_000;

/** Whether the gateway takes the demo key: `refused` where it was revoked, or its account may do nothing. */
export type DemoKeyState = 'taken' | 'refused';

/**
 * Until the first call would be accepted: every service ready, the demo credits granted, unless there are none. Reads the
 * public door only. A key that is refused will be refused again, and each time would count against whoever asks from this
 * machine with a key that is not known yet: it ends the wait at once, as the limit of requests does.
 */
export async function waitUntilUsable(demo: Demo): Promise<DemoKeyState> {
  const origin = new URL(demo.base_url).origin;
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (await isReady(origin)) {
      const told = await askWithKey(demo);
      if (told !== 'not yet') return told;
    }
    await delay(POLL_MS);
  }
  return 'taken';
}

async function isReady(origin: string): Promise<boolean> {
  return (await fetch(`${origin}/readyz`)).ok;
}

/** An account whose credits are spent has its row too, so a later start does not wait for a grant. */
async function askWithKey(demo: Demo): Promise<DemoKeyState | 'not yet'> {
  const awaitsCredits = demo.initial_credits !== 0;
  // The other path is open to any key, whatever its account has.
  const path = awaitsCredits ? '/auth/credits' : '/providers/categories';
  const answer = await fetch(`${demo.base_url}${path}`, { headers: { authorization: `Bearer ${demo.api_key}` } });
  if (answer.status === 401 || answer.status === 403) return 'refused';
  if (answer.status === 429) return 'taken';
  if (!answer.ok) return 'not yet';
  if (!awaitsCredits) return 'taken';
  const { data } = (await answer.json()) as { data: { welcome_bonus: { initial: number } } };
  return data.welcome_bonus.initial > 0 ? 'taken' : 'not yet';
}
