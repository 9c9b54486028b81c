import type { ToolContract } from '@capability-router/contracts';
import type { ResolvedTool } from './resolve-tool.js';

/** What is known of a tool that was published before. */
export interface PublishedTool {
  readonly toolId: string;
  readonly status: 'published' | 'retired';
  readonly version: number;
  readonly contractHash: string;
  readonly eventSequence: number;
}

export interface HashedTool {
  readonly tool: ResolvedTool;
  /** Of the manifest alone: what callers compare. */
  readonly schemaHash: string;
  /** Of the manifest with its provider and categories: what decides about a new version. */
  readonly contractHash: string;
}

export interface Publication {
  readonly contract: ToolContract;
  readonly contractHash: string;
  /** Its place in the tool's stream. */
  readonly eventSequence: number;
}

/**
 * What has to be published. A tool that is unchanged is not; one that comes back after its retirement as it was keeps
 * its version; any other change is the next version.
 */
export function planPublication(
  tools: readonly HashedTool[],
  known: ReadonlyMap<string, PublishedTool>,
): Publication[] {
  return tools.flatMap(({ tool, schemaHash, contractHash }) => {
    const before = known.get(tool.toolId);
    const unchanged = before?.contractHash === contractHash;
    if (unchanged && before.status === 'published') return [];
    const version = unchanged ? before.version : (before?.version ?? 0) + 1;
    return [
      { contract: { ...tool, version, schemaHash }, contractHash, eventSequence: (before?.eventSequence ?? 0) + 1 },
    ];
  });
}
