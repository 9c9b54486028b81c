import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/event-store';
import type pg from 'pg';
import { retireTools } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import { findAbandoned, type AbandonedQuery } from './tools.sql.js';

/** Tools in one transaction. */
const CHUNK_TOOLS = 200;

/** Retires the published tools of a source that are not among `kept`; gives their ids. */
export async function retireAbandoned(
  pool: pg.Pool,
  clock: Clock,
  query: Omit<AbandonedQuery, 'limit'>,
): Promise<string[]> {
  const retired: string[] = [];
  for (let last = CHUNK_TOOLS; last === CHUNK_TOOLS;) {
    const chunk = await inTransaction(pool, async (tx) => {
      await lockCatalogue(tx);
      const abandoned = await findAbandoned(tx, { ...query, limit: CHUNK_TOOLS });
      if (abandoned.length > 0) await retireTools(tx, abandoned, 'source', toIso(clock.nowMs()));
      return abandoned;
    });
    retired.push(...chunk.map(({ toolId }) => toolId));
    last = chunk.length;
  }
  return retired;
}
