import { setTimeout as pause } from 'node:timers/promises';
import { allTopics, partitionsOf, topicConfig } from '@capability-router/contracts';
import { openAdmin, type Admin, type KafkaConnection } from './kafka-admin.js';

export { allTopics, topicConfig };

const createTimeoutMs = 60_000;
const POLL_MS = 100;

export interface TopicSettings {
  /** Copies of each partition; 1 where absent. */
  readonly replicationFactor?: number;
  /** Each topic that has several gets as many; those of the contracts where absent. */
  readonly partitions?: number | undefined;
}

/** Creates every topic of the contracts that is missing. Those that exist are never changed: keys would move with partitions. */
export async function createTopics(
  connection: KafkaConnection,
  { replicationFactor = 1, partitions }: TopicSettings = {},
): Promise<void> {
  const admin = openAdmin(connection, 'topics');
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = allTopics.filter((topic) => !existing.has(topic.name));
    if (missing.length > 0) {
      await admin.createTopics({
        // kafkajs's own wait gives up where a broker has not heard of a new topic yet.
        waitForLeaders: false,
        timeout: createTimeoutMs,
        topics: missing.map((topic) => ({
          topic: topic.name,
          numPartitions: partitionsOf(topic, partitions),
          replicationFactor,
          configEntries: Object.entries(topicConfig(topic)).map(([name, value]) => ({ name, value })),
        })),
      });
    }
    await untilLed(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Every partition has a leader. */
async function untilLed(admin: Admin): Promise<void> {
  const deadline = Date.now() + createTimeoutMs;
  for (;;) {
    const topics = await metadataOf(admin);
    const led = topics?.every(
      ({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0),
    );
    if (led === true) return;
    if (Date.now() > deadline) throw new Error(`Not all topics have leaders after ${createTimeoutMs} ms`);
    await pause(POLL_MS);
  }
}

/** Undefined while the broker that was asked does not know all of them. */
async function metadataOf(admin: Admin) {
  try {
    return (await admin.fetchTopicMetadata({ topics: allTopics.map((topic) => topic.name) })).topics;
  } catch (error) {
    if ((error as { retriable?: unknown }).retriable === true) return undefined;
    throw error;
  }
}
