import type pg from 'pg';
import { countPublished } from './tools.sql.js';

/** Tools that may be published: what every replica holds in memory, and refuses to start above. */
export const MAX_PUBLISHED_TOOLS = 200_000;
/** Tools after which it is counted anew: counting reads the whole table, which an import must not do for every batch. */
const RECOUNT_AFTER_TOOLS = 20_000;
/** Below so much room every batch counts, so that the limit is exact whoever else publishes. */
const NARROW_TOOLS = 60_000;

/** How many tools may still be published, for one writer of many batches. */
export class PublishedCount {
  private counted: number | undefined;
  private taken = 0;

  /** Room for `wanted` tools, which the caller then takes; under the lock of the catalogue. */
  async roomFor(tx: pg.PoolClient, wanted: number): Promise<number> {
    const narrow = MAX_PUBLISHED_TOOLS - (this.counted ?? MAX_PUBLISHED_TOOLS) - this.taken - wanted < NARROW_TOOLS;
    if (narrow || this.taken >= RECOUNT_AFTER_TOOLS || this.counted === undefined) {
      this.counted = await countPublished(tx);
      this.taken = 0;
    }
    const room = MAX_PUBLISHED_TOOLS - this.counted - this.taken;
    this.taken += wanted;
    return room;
  }
}
