import type { EventEnvelope } from '@capability-router/contracts';
import { currentHorizon } from '@capability-router/event-store';
import { type Tail, tailOwnStore } from '../broadcast/tail-own-store.js';
import type { BroadcastListener } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import type { Publication } from './publications.js';

/** Tails the outboxes that carry its topics, from now on. */
export class EmbeddedBroadcastListener implements BroadcastListener {
  private readonly tails: { tail: Tail; publication: Publication; topics: readonly string[] }[] = [];

  constructor(
    private readonly options: {
      find: (topic: string) => Publication | undefined;
      pollIntervalMs: number;
      logger: BusLogger;
      onClose: () => void;
    },
  ) {}

  async listen(topics: readonly string[], handle: (event: EventEnvelope) => void): Promise<void> {
    const byPublication = new Map<Publication, string[]>();
    for (const topic of topics) {
      const publication = this.options.find(topic);
      if (publication === undefined) throw new Error(`no service of this process publishes ${topic}`);
      byPublication.set(publication, [...(byPublication.get(publication) ?? []), topic]);
    }
    for (const [publication, wanted] of byPublication) {
      const tail = tailOwnStore(publication.pool, {
        source: publication.outbox,
        from: await currentHorizon(publication.pool),
        topics: wanted,
        pollIntervalMs: this.options.pollIntervalMs,
        logger: this.options.logger,
        handle: async (events) => {
          for (const event of events) if (wanted.includes(event.topic)) handle(event);
        },
      });
      this.tails.push({ tail, publication, topics: wanted });
    }
  }

  isReading(): boolean {
    return this.tails.length > 0;
  }

  nudge(source: string, committed?: readonly string[]): void {
    for (const { tail, publication, topics } of this.tails) {
      const concerned = committed === undefined || topics.some((topic) => committed.includes(topic));
      if (concerned && publication.source === source) tail.nudge();
    }
  }

  async close(): Promise<void> {
    this.options.onClose();
    await Promise.all(this.tails.map(({ tail }) => tail.stop()));
  }
}
