import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import type { ServiceRuntime } from '@capability-router/service-kit';
import type pg from 'pg';
import { purgeReports } from './evictions/gateway-replicas.sql.js';
import { purgeRegistrationCounters } from './trial-agents/purge-counters.js';

/** Milliseconds. */
const PURGE_INTERVAL_MS = 3_600_000;

/** Removes what nobody asks for any more, now and every hour. The returned function ends it and waits for the purge in hand. */
export function startPurge(pool: pg.Pool, clock: Clock, logger: ServiceRuntime['logger']): () => Promise<void> {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await purgeRegistrationCounters(pool, clock.nowMs());
        await purgeReports(pool);
      } catch (err) {
        logger.warn({ err }, 'what is outdated could not be purged; tries again in an hour');
      }
      await delay(PURGE_INTERVAL_MS, stopping.signal);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
