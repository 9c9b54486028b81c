import type { CapabilityContract, CapabilityManifest } from '@capability-router/contracts';

export interface HashedCapability {
  readonly manifest: CapabilityManifest;
  /** SHA-256 of the canonical manifest. */
  readonly schemaHash: string;
}

export interface PublishedVersion {
  readonly contractVersion: number;
  readonly schemaHash: string;
}

/** The contracts that have to be published: new ones under version 1, changed ones under the next. */
export function planPublication(
  capabilities: readonly HashedCapability[],
  published: ReadonlyMap<string, PublishedVersion>,
): CapabilityContract[] {
  return capabilities.flatMap(({ manifest, schemaHash }) => {
    const before = published.get(manifest.capabilityId);
    if (before?.schemaHash === schemaHash) return [];
    return [{ ...manifest, contractVersion: (before?.contractVersion ?? 0) + 1, schemaHash }];
  });
}
