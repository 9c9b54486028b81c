import type { OutboxSource } from '@capability-router/event-store';
import { randomUUID } from 'node:crypto';
import { createKafka } from '../kafka/kafka-client.js';
import { type ReadOptions, type TopicRead, TopicReader } from '../kafka/topic-reader.js';
import { silentLogger } from '../logger.js';
import { createTopics } from './create-topics.js';

const PARTITIONS = 3;

/** For tests: topics that stand for the real ones on a broker that others use too. */
export interface ScratchTopics {
  /** Also what keeps relays of other tests from fencing those of this one. */
  readonly prefix: string;
  /** `source`, publishing to the stand-ins. */
  outbox(source: OutboxSource): OutboxSource;
  /** Reads the stand-in of a topic, under the topic's own name. */
  read(topic: string, options: ReadOptions): Promise<TopicRead>;
  drop(): Promise<void>;
}

export async function createScratchTopics(brokers: string[], topics: readonly string[]): Promise<ScratchTopics> {
  const prefix = `test-${randomUUID()}-`;
  const admin = createKafka({ brokers, clientId: 'scratch-topics', logger: silentLogger }).admin();
  await admin.connect();
  const names = topics.map((topic) => `${prefix}${topic}`);
  await createTopics(admin, names, PARTITIONS);
  const reader = new TopicReader({ brokers, clientId: 'scratch-topics' });
  return {
    prefix,
    outbox: (source) => ({
      ...(source.name === undefined ? {} : { name: source.name }),
      topics: source.topics.map((topic) => `${prefix}${topic}`),
      async readAfter(db, after, limit) {
        const page = await source.readAfter(db, after, limit);
        return { ...page, events: page.events.map((event) => ({ ...event, topic: `${prefix}${event.topic}` })) };
      },
      oldestUnread: (db, after) => source.oldestUnread(db, after),
    }),
    read: (topic, options) => reader.read(`${prefix}${topic}`, options),
    async drop() {
      await reader.close();
      await admin.deleteTopics({ topics: names });
      await admin.disconnect();
    },
  };
}
