import type { CapabilityManifest } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { appendCapabilityEvents, published } from './append-capability-events.js';
import { findLive, saveContracts } from './capabilities.js';
import { planPublication } from './domain/plan-publication.js';
import { hashCapability } from './hash-capability.js';
import { lockPublications } from './lock-publications.sql.js';

/** Contracts in one transaction: short enough not to hold back readers of the event store. */
const CHUNK_CAPABILITIES = 200;

/**
 * Publishes what is new or changed in this build; row and event are one transaction. Doing it again, or in two replicas at once,
 * changes nothing. A capability that is not named any more stays, because clients hold on to its id. Resolves to the number of
 * contracts published.
 */
export async function publishCapabilities(
  pool: pg.Pool,
  clock: Clock,
  manifests: readonly CapabilityManifest[],
): Promise<number> {
  const ids = new Set(manifests.map((manifest) => manifest.capabilityId));
  if (ids.size !== manifests.length) throw new Error('a capability is there twice');
  let count = 0;
  for (let from = 0; from < manifests.length; from += CHUNK_CAPABILITIES) {
    const chunk = manifests.slice(from, from + CHUNK_CAPABILITIES);
    count += await publishChunk(pool, toIso(clock.nowMs()), chunk);
  }
  return count;
}

function publishChunk(pool: pg.Pool, now: string, manifests: readonly CapabilityManifest[]): Promise<number> {
  return inTransaction(pool, async (tx) => {
    await lockPublications(tx);
    const live = await findLive(
      tx,
      manifests.map((manifest) => manifest.capabilityId),
    );
    const contracts = planPublication(manifests.map(hashCapability), live);
    if (contracts.length === 0) return 0;
    await saveContracts(tx, contracts, 'builtin', now);
    await appendCapabilityEvents(tx, contracts.map(published), now);
    return contracts.length;
  });
}
