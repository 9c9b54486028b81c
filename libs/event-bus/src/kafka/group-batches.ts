/** The records of one partition that a fetch brought. */
export interface PartitionBatch {
  readonly topic: string;
  readonly messages: readonly unknown[];
}

/**
 * Batches that are handled together, in one transaction: small ones of one topic, as long as they stay within
 * `maxEvents` altogether. A batch that fills a transaction by itself stands alone.
 */
export function groupBatches<T extends PartitionBatch>(batches: readonly T[], maxEvents: number): [T, ...T[]][] {
  const groups: [T, ...T[]][] = [];
  const open = new Map<string, { group: [T, ...T[]]; events: number }>();
  for (const batch of batches) {
    const events = batch.messages.length;
    const current = open.get(batch.topic);
    if (current !== undefined && current.events + events <= maxEvents) {
      current.group.push(batch);
      current.events += events;
      continue;
    }
    const group: [T, ...T[]] = [batch];
    groups.push(group);
    if (events < maxEvents) open.set(batch.topic, { group, events });
  }
  return groups;
}
