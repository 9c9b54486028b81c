import type { Kafka } from 'kafkajs';
import type { BusLogger } from '../logger.js';

/** Deletes a consumer group that nobody uses any more. Never fails: the broker lets a group that is left expire. */
export async function deleteGroup(kafka: Kafka, groupId: string, logger: Pick<BusLogger, 'debug'>): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await admin.deleteGroups([groupId]);
  } catch (error) {
    logger.debug({ err: error, groupId }, 'a consumer group was not deleted and will expire');
  }
  await admin.disconnect().catch(() => undefined);
}
