import type { CapabilityContract, CapabilityPublished } from '@capability-router/contracts';
import { readStream, type Queryable } from '@capability-router/event-store';

/** One contract that was published. */
export interface PublishedContract {
  readonly contract: CapabilityContract;
  readonly publishedAt: Date;
}

/** Every contract that a capability has had, the oldest first: its stream. Empty for an id without a contract. */
export async function readVersions(db: Queryable, capabilityId: string): Promise<PublishedContract[]> {
  const versions = new Map<number, PublishedContract>();
  for (const { type, data, time } of await readStream(db, capabilityId)) {
    if (type !== 'CapabilityPublished') continue;
    const contract = (data as unknown as CapabilityPublished).capability;
    // A contract that comes back after its retirement is published again, as it was.
    const known = versions.get(contract.contractVersion);
    versions.set(contract.contractVersion, known ?? { contract, publishedAt: new Date(time) });
  }
  return [...versions.values()];
}
