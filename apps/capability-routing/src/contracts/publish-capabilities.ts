import { topicNames } from '@capability-router/contracts';
import type { CapabilityManifest, CapabilityPublished } from '@capability-router/contracts';
import { appendBatch } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { findVersions, saveContracts } from './capabilities.js';
import { planPublication } from './domain/plan-publication.js';
import { hashCapability } from './hash-capability.js';
import { lockPublications } from './lock-publications.sql.js';

/** Contracts in one transaction: short enough not to hold back readers of the event store. */
const CHUNK_CAPABILITIES = 200;

/**
 * Publishes what is new or changed; row and event are one transaction, and the contract version is the event's sequence
 * in the stream of its capability. Doing it again, or in two replicas at once, changes nothing. A capability that is not
 * named any more stays: clients hold on to its id. Resolves to the number of contracts published.
 */
export async function publishCapabilities(
  pool: pg.Pool,
  clock: Clock,
  manifests: readonly CapabilityManifest[],
): Promise<number> {
  const ids = new Set(manifests.map((manifest) => manifest.capabilityId));
  if (ids.size !== manifests.length) throw new Error('a capability is there twice');
  let published = 0;
  for (let from = 0; from < manifests.length; from += CHUNK_CAPABILITIES) {
    const chunk = manifests.slice(from, from + CHUNK_CAPABILITIES);
    published += await publishChunk(pool, toIso(clock.nowMs()), chunk);
  }
  return published;
}

function publishChunk(pool: pg.Pool, now: string, manifests: readonly CapabilityManifest[]): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await lockPublications(tx);
    const versions = await findVersions(
      tx,
      manifests.map((manifest) => manifest.capabilityId),
    );
    const contracts = planPublication(manifests.map(hashCapability), versions);
    if (contracts.length === 0) return 0;
    await saveContracts(tx, contracts, now);
    await appendBatch(
      tx,
      'capability-routing',
      contracts.map((contract) => ({
        streamId: contract.capabilityId,
        sequence: contract.contractVersion,
        event: {
          type: 'CapabilityPublished',
          topic: topicNames.capabilities,
          partitionKey: contract.capabilityId,
          data: { capability: contract } satisfies CapabilityPublished,
          time: now,
        },
      })),
    );
    return contracts.length;
  });
}
