import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import { CACHES_FORGET_AFTER_MS, countUnconfirmed } from './gateway-replicas.sql.js';

/** Milliseconds that the answer to a revocation waits for the replicas of the gateway. */
const PATIENCE_MS = 1_000;
const POLL_MS = 20;

/**
 * Waits until every living replica of the gateway has evicted a key or an account. To be called after the commit.
 * False: after a second some have not, and use what they have cached until they hear of it or it is half a minute old.
 * `subject`: what was revoked; `revokedAtMs`: since the epoch; `nowMs`: by the same clock.
 */
export async function awaitEviction(
  pool: pg.Pool,
  subject: string,
  { revokedAtMs, nowMs }: { readonly revokedAtMs: number; readonly nowMs: number },
): Promise<boolean> {
  if (nowMs - revokedAtMs > CACHES_FORGET_AFTER_MS) return true;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    if ((await countUnconfirmed(pool, subject, new Date(revokedAtMs))) === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
}
