import type { Consumer, EachBatchHandler, KafkaMessage } from 'kafkajs';
import type { Chunk } from '../shared/chunk-processor.js';
import type { SlotId } from '../shared/consumer-position.js';
import { fromRecord } from './cloud-events.js';
import type { PartitionBatch } from './group-batches.js';

export type BatchPayload = Parameters<EachBatchHandler>[0];

export interface OpenPartition {
  readonly slot: SlotId;
  /** The next offset, as the database has it. */
  position: string;
  failures: number;
}

export interface Fetched {
  readonly consumer: Consumer;
  readonly payload: BatchPayload;
}

/** The messages of a fetched batch that are not handled yet. */
export interface PartitionInHand extends Fetched, PartitionBatch {
  readonly slot: SlotId;
  /** `topic/partition` */
  readonly key: string;
  /** The number of the assignment under which it was fetched. */
  readonly assignment: number;
  readonly open: OpenPartition;
  readonly messages: readonly KafkaMessage[];
}

/** The chunk of `messages`, which are the next of what is in hand. */
export function chunkOf(inHand: PartitionInHand, messages: readonly KafkaMessage[]): Chunk {
  const { slot, open } = inHand;
  return {
    slot,
    expected: open.position,
    next: offsetBehind(inHand, messages),
    events: messages.map((message) => ({
      ...fromRecord(slot.topic, slot.partition, message),
      position: message.offset,
    })),
  };
}

/**
 * The next offset once `messages` are handled. Behind the last message of a batch stand the marks of transactions, which are never handed out: a
 * position before a mark would look, once retention has emptied the partition, as if the mark were an event that nobody has read.
 */
export function offsetBehind({ open, payload }: PartitionInHand, messages: readonly KafkaMessage[]): string {
  const last = messages.at(-1);
  if (last === undefined) return open.position;
  const { batch } = payload;
  return (BigInt(last === batch.messages.at(-1) ? batch.lastOffset() : last.offset) + 1n).toString();
}
