import { appendToStream } from '@capability-router/event-store';
import type pg from 'pg';
import type { BusLogger } from '@capability-router/event-bus';
import { toEvent } from './discovery.js';
import type { Discovery } from './discovery.js';
import { saveTexts } from './save-texts.sql.js';

/** Writes down each Discover and Inspect request before it is answered. */
export class DiscoveryRecorder {
  /** `committed` is called when there is something to publish. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly logger: Pick<BusLogger, 'warn'>,
    private readonly committed: () => void,
  ) {}

  /**
   * One event, in one statement; the texts beside it. Rejects when the event cannot be written, since a request
   * without an audit row must not be answered. Texts that cannot be written are only missing from its details.
   */
  async record(discovery: Discovery): Promise<void> {
    const texts = saveTexts(this.pool, discovery).catch((error: unknown) => {
      this.logger.warn({ err: error, usageEventId: discovery.usageEventId }, 'could not keep the texts of a request');
    });
    const appended = await appendToStream(this.pool, 'registry', discovery.usageEventId, 0, [toEvent(discovery)]);
    if (appended.status !== 'appended') throw new Error(`usage event ${discovery.usageEventId} is already there`);
    this.committed();
    await texts;
  }
}
