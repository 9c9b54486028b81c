import type { CapabilityContract, CapabilityManifest } from '@capability-router/contracts';

/** `builtin`: the contract comes with a build, and follows it. `manifest`: an administrator wrote it, and no build changes it. */
export type CapabilitySource = 'builtin' | 'manifest';

export interface HashedCapability {
  readonly manifest: CapabilityManifest;
  /** SHA-256 of the canonical manifest. */
  readonly schemaHash: string;
}

/** The known state of a contract that was published before. */
export interface LiveCapability {
  readonly contractVersion: number;
  readonly schemaHash: string;
  readonly source: CapabilitySource;
  readonly retired: boolean;
}

/** The next contract of a capability: the first one has version 1. */
export const nextContract = (
  { manifest, schemaHash }: HashedCapability,
  live: LiveCapability | undefined,
): CapabilityContract => ({ ...manifest, contractVersion: (live?.contractVersion ?? 0) + 1, schemaHash });

/**
 * The contracts of a build that have to be published: those that are new or changed. What an administrator has written or retired no
 * build changes.
 */
export function planPublication(
  capabilities: readonly HashedCapability[],
  published: ReadonlyMap<string, LiveCapability>,
): CapabilityContract[] {
  return capabilities.flatMap((hashed) => {
    const live = published.get(hashed.manifest.capabilityId);
    const isSettled = live?.schemaHash === hashed.schemaHash || live?.source === 'manifest' || live?.retired === true;
    return isSettled ? [] : [nextContract(hashed, live)];
  });
}
