import { setTimeout as pause } from 'node:timers/promises';
import { allTopics, topicConfig } from '@capability-router/contracts';
import { logLevel, openAdmin, type Admin } from './kafka-admin.js';

export { allTopics, topicConfig };

const createTimeoutMs = 60_000;
const POLL_MS = 100;

/** Creates every topic of the contracts that is missing. Partitions of existing ones are never changed: keys would move. */
export async function createTopics(brokers: readonly string[], replicationFactor = 1): Promise<void> {
  const admin = openAdmin({ clientId: 'topics', brokers: [...brokers], logLevel: logLevel.ERROR });
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
          numPartitions: topic.partitions,
          replicationFactor,
          configEntries: Object.entries(topicConfig(topic)).map(([name, value]) => ({ name, value })),
        })),
      });
    }
    const partitions = await partitionsOnceLed(admin);
    for (const topic of allTopics) {
      const found = partitions.get(topic.name) ?? 0;
      if (found !== topic.partitions) {
        throw new Error(`Topic ${topic.name} has ${found} partitions instead of ${topic.partitions}`);
      }
    }
  } finally {
    await admin.disconnect();
  }
}

/** How many partitions each topic has, as soon as every one of them has a leader. */
async function partitionsOnceLed(admin: Admin): Promise<ReadonlyMap<string, number>> {
  const deadline = Date.now() + createTimeoutMs;
  for (;;) {
    const topics = await metadataOf(admin);
    const led = topics?.every(
      ({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0),
    );
    if (topics !== undefined && led === true)
      return new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
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
