import { Kafka, logLevel } from 'kafkajs';
import { allTopics, topicConfig } from '@capability-router/contracts';

export { allTopics, topicConfig };

const createTimeoutMs = 30_000;

/** Creates every topic of the contracts that is missing. Partitions of existing ones are never changed: keys would move. */
export async function createTopics(brokers: readonly string[], replicationFactor = 1): Promise<void> {
  const kafka = new Kafka({ clientId: 'topics', brokers: [...brokers], logLevel: logLevel.ERROR });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = allTopics.filter((topic) => !existing.has(topic.name));
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: true,
        timeout: createTimeoutMs,
        topics: missing.map((topic) => ({
          topic: topic.name,
          numPartitions: topic.partitions,
          replicationFactor,
          configEntries: Object.entries(topicConfig(topic)).map(([name, value]) => ({ name, value })),
        })),
      });
    }
    const { topics: found } = await admin.fetchTopicMetadata({ topics: allTopics.map((topic) => topic.name) });
    for (const topic of allTopics) {
      const partitions = found.find((candidate) => candidate.name === topic.name)?.partitions.length;
      if (partitions === topic.partitions) continue;
      throw new Error(`Topic ${topic.name} has ${partitions ?? 0} partitions instead of ${topic.partitions}`);
    }
  } finally {
    await admin.disconnect();
  }
}
