import { topicNames } from '@capability-router/contracts';
import { tailOwnStore, type BusLogger, type Tail } from '@capability-router/event-bus';
import { currentHorizon, eventTableSource } from '@capability-router/event-store';
import type pg from 'pg';
import type { CatalogueCopy } from '../search-index/catalogue-copy.js';

/** Milliseconds until a publication by another replica is looked for. */
const POLL_INTERVAL_MS = 500;

/** Loads the copy and keeps it fresh from the service's own store, in every replica. */
export async function followCatalogue(pool: pg.Pool, copy: CatalogueCopy, logger: BusLogger): Promise<Tail> {
  // Taken before the load: what is committed in between is seen by both, and neither misses it.
  const from = await currentHorizon(pool);
  await copy.load();
  return tailOwnStore(pool, {
    source: eventTableSource([topicNames.catalogue], 'heads'),
    from,
    pollIntervalMs: POLL_INTERVAL_MS,
    handle: (events) => copy.refresh([...new Set(events.map((event) => event.subject))]),
    logger,
  });
}
