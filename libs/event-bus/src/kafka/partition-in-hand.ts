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
export function chunkOf({ slot, open }: PartitionInHand, messages: readonly KafkaMessage[]): Chunk {
  const last = messages.at(-1)?.offset;
  return {
    slot,
    expected: open.position,
    next: last === undefined ? open.position : (BigInt(last) + 1n).toString(),
    events: messages.map((message) => ({
      ...fromRecord(slot.topic, slot.partition, message),
      position: message.offset,
    })),
  };
}
