import type { Admin } from 'kafkajs';

const PARTITIONS = 3;
const ATTEMPTS = 100;
const POLL_MS = 20;

/** Waits for their leaders. kafkajs can wait too, but gives up where a broker does not know the topic yet. */
export async function createTopics(admin: Admin, names: readonly string[]): Promise<void> {
  const topics = names.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: 1 }));
  await admin.createTopics({ waitForLeaders: false, topics });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await Promise.all(names.map((name) => admin.fetchTopicOffsets(name)));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
