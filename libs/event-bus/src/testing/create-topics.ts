import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';

const ATTEMPTS = 600;
const POLL_MS = 100;

/** Waits for their leaders. kafkajs can wait too, but gives up where a broker does not know a new topic yet. */
export async function createTopics(admin: Admin, names: readonly string[], numPartitions: number): Promise<void> {
  await admin.createTopics({
    waitForLeaders: false,
    topics: names.map((topic) => ({ topic, numPartitions, replicationFactor: 1 })),
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await Promise.all(names.map((name) => admin.fetchTopicOffsets(name)));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(POLL_MS);
    }
  }
}
