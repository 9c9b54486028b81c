import type { CapabilityContract, CapabilityPublished } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import type { Queryable } from '@capability-router/event-store';

/** One contract that was published. */
export interface PublishedContract {
  readonly contract: CapabilityContract;
  readonly publishedAt: Date;
}

/** Every contract that a capability has had, the oldest first: its stream. Empty for an id without a contract. */
export async function readVersions(db: Queryable, capabilityId: string): Promise<PublishedContract[]> {
  const events = await readStream(db, capabilityId);
  return events.flatMap(({ type, data, time }) => {
    if (type !== 'CapabilityPublished') return [];
    return [{ contract: (data as unknown as CapabilityPublished).capability, publishedAt: new Date(time) }];
  });
}
