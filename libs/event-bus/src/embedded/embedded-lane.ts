import { comparePositions, firstAfter, type Position, type StoredEvent } from '@capability-router/event-store';
import type { ChunkProcessor } from '../shared/chunk-processor.js';
import type { SlotId } from '../shared/consumer-position.js';

/**
 * Pages in a row without an event for a lane after which its position is stored all the same, so that a restart reads few of
 * them again.
 */
const MAX_SKIPPED_PAGES = 20;

/** One key range of a topic: its events in order, a position of its own. */
export class EmbeddedLane {
  private skippedPages = 0;

  constructor(
    private readonly slot: SlotId,
    private readonly processor: ChunkProcessor,
    private readonly maxBatch: number,
    /** The position of the lane that the database has. */
    private stored: Position,
  ) {}

  get position(): Position {
    return this.stored;
  }

  /**
   * Handles what of a page is this lane's and new to it; `end` is where the page ends. False: fenced, another consumer
   * of the group has moved the position. Throws transient errors.
   */
  async take(events: readonly StoredEvent[], end: Position): Promise<boolean> {
    if (comparePositions(this.stored, end) >= 0) return true;
    const fresh = events.slice(firstAfter(events, this.stored));
    if (fresh.length === 0) {
      this.skippedPages += 1;
      if (this.skippedPages < MAX_SKIPPED_PAGES) return true;
    }
    this.skippedPages = 0;
    for (let from = 0; from === 0 || from < fresh.length; from += this.maxBatch) {
      const chunk = fresh.slice(from, from + this.maxBatch);
      const isLast = from + this.maxBatch >= fresh.length;
      const next = isLast ? end : (chunk.at(-1)?.position ?? end);
      const batch = chunk.map(({ position, ...event }) => ({ event, position }));
      if ((await this.processor.process(this.slot, this.stored, batch, next)) === 'fenced') return false;
      this.stored = next;
    }
    return true;
  }
}

/** The lane of a key; the same in every process, since order per key depends on it. */
export function laneOf(partitionKey: string, lanes: number): number {
  if (lanes === 1) return 0;
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (let at = 0; at < partitionKey.length; at += 1) {
    hash ^= partitionKey.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0) % lanes;
}
