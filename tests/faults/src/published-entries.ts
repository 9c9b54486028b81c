import { topicNames } from '@capability-router/contracts';
import { silentLogger, type BroadcastListener, type EventBus } from '@capability-router/event-bus';
import { createKafkaEventBus } from '@capability-router/event-bus/kafka';
import type { StackState } from '@capability-router/tools-stack';

/** The ids of all ledger entries that reach the public topic from now on. */
export class PublishedEntries {
  private readonly ids = new Set<string>();

  private constructor(
    private readonly bus: EventBus,
    private readonly listener: BroadcastListener,
  ) {}

  static async listen(stack: StackState): Promise<PublishedEntries> {
    const bus = createKafkaEventBus({
      brokers: [...stack.kafkaBrokers],
      clientId: 'fault-tests',
      logger: silentLogger,
    });
    const published = new PublishedEntries(bus, bus.broadcastListener());
    await published.listener.listen([topicNames.ledgerEntries], (event) => {
      published.ids.add(String((event.data as { entryId?: unknown }).entryId));
    });
    return published;
  }

  missing(entryIds: readonly string[]): string[] {
    return entryIds.filter((id) => !this.ids.has(id));
  }

  async close(): Promise<void> {
    await this.listener.close();
    await this.bus.stop();
  }
}
