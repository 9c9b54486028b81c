import type { ToolContract } from '@capability-router/contracts';
import type { ResolvedTool } from './resolve-tool.js';

/** A tool as it was published before. */
export interface LiveTool {
  readonly toolId: string;
  readonly source: string;
  readonly status: 'published' | 'retired';
  /** Only on a retired tool: what an operator retired no source brings back. */
  readonly retiredBy?: 'source' | 'operator';
  readonly version: number;
  readonly schemaHash: string;
  readonly contractHash: string;
  /** 0 for a tool that was saved without ever being announced. */
  readonly eventSequence: number;
}

/** A contract that waits beside what is published. */
export interface Proposal {
  readonly toolId: string;
  readonly source: string;
  readonly status: 'draft' | 'quarantined' | 'rejected';
  readonly contractHash: string;
}

export interface HashedTool {
  readonly tool: ResolvedTool;
  /** The hash of the manifest alone, which callers compare. */
  readonly schemaHash: string;
  /** The hash of the manifest with its provider and categories, which decides about a new version. */
  readonly contractHash: string;
}

/** `publish`: callers see it at once. `draft`, `quarantine`: it waits until somebody publishes or approves it. */
export type Intent = 'publish' | 'draft' | 'quarantine';

export interface PlannedContract {
  readonly contract: ToolContract;
  readonly contractHash: string;
  readonly status: 'published' | 'retired';
  /** The number of its event, or of its last event where it has none this time. */
  readonly eventSequence: number;
  /** The version that this one replaces. */
  readonly replaces?: number;
}

export type ToolPlan =
  /** `rejected`: somebody has refused this very contract. */
  | { readonly kind: 'keep'; readonly result: 'unchanged' | 'rejected' }
  | {
      readonly kind: 'save';
      /** `stays_retired`: the change is kept, but an operator has retired the tool. */
      readonly result: 'created' | 'changed' | 'restored' | 'stays_retired';
      readonly planned: PlannedContract;
    }
  | { readonly kind: 'propose'; readonly result: 'drafted' | 'quarantined' }
  | { readonly kind: 'refuse'; readonly message: string };

/**
 * Decides what becomes of one tool. Unchanged, it stays; one that comes back after its retirement as it was keeps its
 * version; any other change is the next version.
 */
export function planTool(
  hashed: HashedTool,
  source: string,
  intent: Intent,
  known: { readonly live?: LiveTool | undefined; readonly proposal?: Proposal | undefined },
): ToolPlan {
  const { live, proposal } = known;
  const waits = proposal?.status === 'rejected' ? undefined : proposal?.source;
  const owner = live?.status === 'published' ? live.source : waits;
  if (owner !== undefined && owner !== source) {
    return {
      kind: 'refuse',
      message: `Tool "${hashed.tool.toolId}" comes from the source "${owner}"; retire it there first`,
    };
  }
  const unchanged = live?.contractHash === hashed.contractHash;
  if (unchanged && (live.status === 'published' || live.retiredBy === 'operator')) {
    return { kind: 'keep', result: 'unchanged' };
  }
  if (intent !== 'publish') return planProposal(hashed, intent, proposal);
  return { kind: 'save', ...planContract(hashed, live) };
}

/** The next contract of a tool, whatever waits beside it. */
export function planContract(
  { tool, schemaHash, contractHash }: HashedTool,
  live: LiveTool | undefined,
): { result: 'created' | 'changed' | 'restored' | 'stays_retired'; planned: PlannedContract } {
  const unchanged = live?.contractHash === contractHash;
  const version = unchanged ? live.version : (live?.version ?? 0) + 1;
  const staysRetired = live?.status === 'retired' && live.retiredBy === 'operator';
  const result = live === undefined ? 'created' : live.status === 'retired' ? 'restored' : 'changed';
  return {
    result: staysRetired ? 'stays_retired' : result,
    planned: {
      contract: { ...tool, version, schemaHash },
      contractHash,
      status: staysRetired ? 'retired' : 'published',
      eventSequence: (live?.eventSequence ?? 0) + (staysRetired ? 0 : 1),
      ...(live === undefined || unchanged ? {} : { replaces: live.version }),
    },
  };
}

function planProposal(hashed: HashedTool, intent: 'draft' | 'quarantine', proposal: Proposal | undefined): ToolPlan {
  const status = intent === 'draft' ? 'draft' : 'quarantined';
  if (proposal?.contractHash === hashed.contractHash) {
    if (proposal.status === 'rejected') return { kind: 'keep', result: 'rejected' };
    if (proposal.status === status) return { kind: 'keep', result: 'unchanged' };
  }
  return { kind: 'propose', result: intent === 'draft' ? 'drafted' : 'quarantined' };
}
