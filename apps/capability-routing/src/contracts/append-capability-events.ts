import {
  topicNames,
  type CapabilityContract,
  type CapabilityPublished,
  type CapabilityRetired,
} from '@capability-router/contracts';
import { appendBatch } from '@capability-router/event-store';
import type pg from 'pg';
import { lastSequences } from './last-sequences.sql.js';

/** One event at the end of the stream of its capability. */
interface CapabilityChange {
  readonly capabilityId: string;
  readonly type: 'CapabilityPublished' | 'CapabilityRetired';
  readonly data: object;
}

export const published = (capability: CapabilityContract): CapabilityChange => ({
  capabilityId: capability.capabilityId,
  type: 'CapabilityPublished',
  data: { capability } satisfies CapabilityPublished,
});

export const retired = (
  { capabilityId, contractVersion }: CapabilityContract,
  retiredAt: string,
): CapabilityChange => ({
  capabilityId,
  type: 'CapabilityRetired',
  data: { capabilityId, contractVersion, retiredAt } satisfies CapabilityRetired,
});

/** One change per capability at most. Whoever appends holds the lock of publications. */
export async function appendCapabilityEvents(
  tx: pg.PoolClient,
  changes: readonly CapabilityChange[],
  now: string,
): Promise<void> {
  const last = await lastSequences(
    tx,
    changes.map(({ capabilityId }) => capabilityId),
  );
  await appendBatch(
    tx,
    'capability-routing',
    changes.map(({ capabilityId, type, data }) => ({
      streamId: capabilityId,
      sequence: (last.get(capabilityId) ?? 0) + 1,
      event: { type, topic: topicNames.capabilities, partitionKey: capabilityId, data, time: now },
    })),
  );
}
