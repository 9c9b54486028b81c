import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from './demo.js';

const POLL_MS = 50;
/** Milliseconds after which the banner is printed all the same. */
const PATIENCE_MS = 20_000;

/**
 * Until the first call would be accepted: every service ready, the demo credits granted, unless there are none. Reads the
 * public door only.
 */
export async function waitUntilUsable(demo: Demo): Promise<void> {
  const origin = new URL(demo.base_url).origin;
  const deadline = Date.now() + PATIENCE_MS;
  const awaitsCredits = demo.initial_credits !== 0;
  while (Date.now() < deadline) {
    if ((await isReady(origin)) && (!awaitsCredits || (await hasBalance(demo)))) return;
    await delay(POLL_MS);
  }
}

async function isReady(origin: string): Promise<boolean> {
  return (await fetch(`${origin}/readyz`)).ok;
}

/** An account whose credits are spent has its row too, so a later start does not wait for a grant. */
async function hasBalance(demo: Demo): Promise<boolean> {
  const answer = await fetch(`${demo.base_url}/auth/credits`, { headers: { authorization: `Bearer ${demo.api_key}` } });
  if (!answer.ok) return false;
  const { data } = (await answer.json()) as { data: { welcome_bonus: { initial: number } } };
  return data.welcome_bonus.initial > 0;
}
