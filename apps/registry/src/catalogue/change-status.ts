import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/event-store';
import type pg from 'pg';
import { retireTools, writeContracts } from './apply-tools.js';
import { lockCatalogue } from './lock-catalogue.sql.js';
import { findDefinitions } from './definitions.sql.js';
import { planContract, type PlannedContract } from './domain/plan-tool.js';
import { resolveTool, type ResolvedTool } from './domain/resolve-tool.js';
import { hashTool } from './hash-tool.js';
import { dropProposals, findProposal, rejectProposal } from './proposals.sql.js';
import { claimRetirement, findLive, readContracts } from './tools.sql.js';

/** The decisions of an operator about a tool. */
export const toolActions = ['publish', 'approve', 'reject', 'retire', 'restore'] as const;
export type ToolAction = (typeof toolActions)[number];

export type ActionResult =
  | { readonly result: 'done' | 'unchanged'; readonly status: string; readonly version?: number }
  | { readonly result: 'unknown_tool' }
  /** The tool is not in a state for it; the message says which one it is in and what to do. */
  | { readonly result: 'conflict'; readonly message: string };

interface Command {
  readonly toolId: string;
  readonly action: ToolAction;
  /** The proposal that was looked at; where it is another one by now, nothing is done. */
  readonly schemaHash?: string | undefined;
}

/** One transaction: row, kept version and event. Repeating an action answers `unchanged`. */
export function changeToolStatus(pool: pg.Pool, clock: Clock, command: Command): Promise<ActionResult> {
  return inTransaction(pool, async (tx) => {
    await lockCatalogue(tx);
    return actions[command.action](tx, command, toIso(clock.nowMs()));
  });
}

const actions: Readonly<
  Record<ToolAction, (tx: pg.PoolClient, command: Command, now: string) => Promise<ActionResult>>
> = {
  publish: (tx, command, now) => accept(tx, command, 'draft', now),
  approve: (tx, command, now) => accept(tx, command, 'quarantined', now),
  reject,
  retire,
  restore,
};

const conflict = (message: string): ActionResult => ({ result: 'conflict', message });

async function accept(
  tx: pg.PoolClient,
  { toolId, schemaHash }: Command,
  expected: 'draft' | 'quarantined',
  now: string,
): Promise<ActionResult> {
  const live = (await findLive(tx, [toolId])).get(toolId);
  const proposal = await findProposal(tx, toolId);
  if (proposal?.status !== expected) {
    if (proposal === undefined && live === undefined) return { result: 'unknown_tool' };
    if (proposal !== undefined && proposal.status !== 'rejected') {
      const action = proposal.status === 'draft' ? 'publish' : 'approve';
      return conflict(`What waits for this tool is ${proposal.status}: use ":${action}".`);
    }
    if (live?.status === 'published') return { result: 'unchanged', status: 'published', version: live.version };
    return conflict(
      `Nothing waits for this tool${live?.status === 'retired' ? ', which is retired: use ":restore"' : ''}.`,
    );
  }
  if (schemaHash !== undefined && schemaHash !== proposal.schemaHash) {
    return conflict(`Another change waits by now, with schema_hash "${proposal.schemaHash}". Look at it first.`);
  }
  const providers = await findDefinitions(tx, 'provider', [proposal.providerId]);
  const categories = await findDefinitions(tx, 'category', proposal.manifest.categories);
  const resolved = resolveTool(
    proposal.manifest,
    new Map([...providers].map(([id, { definition }]) => [id, definition])),
    new Map([...categories].map(([slug, { definition }]) => [slug, definition])),
  );
  if (!resolved.ok) return conflict(`The tool cannot be published: ${resolved.error.message}.`);
  return save(tx, resolved.value, proposal.source, now);
}

/** Somebody decided that callers shall see it: also a tool that was retired is published. */
async function save(tx: pg.PoolClient, tool: ResolvedTool, source: string, now: string): Promise<ActionResult> {
  const live = (await findLive(tx, [tool.toolId])).get(tool.toolId);
  const { planned } = planContract(hashTool(tool), live);
  const eventSequence = (live?.eventSequence ?? 0) + 1;
  const announced: PlannedContract = { ...planned, status: 'published', eventSequence };
  await writeContracts(tx, [{ source, planned: announced }], now);
  await dropProposals(tx, [tool.toolId]);
  return { result: 'done', status: 'published', version: planned.contract.version };
}

async function reject(tx: pg.PoolClient, { toolId, schemaHash }: Command): Promise<ActionResult> {
  const live = (await findLive(tx, [toolId])).get(toolId);
  const proposal = await findProposal(tx, toolId);
  if (proposal === undefined)
    return live === undefined ? { result: 'unknown_tool' } : conflict('Nothing waits for this tool.');
  if (schemaHash !== undefined && schemaHash !== proposal.schemaHash) {
    return conflict(`Another change waits by now, with schema_hash "${proposal.schemaHash}". Look at it first.`);
  }
  const now = { status: live?.status ?? 'rejected', ...(live === undefined ? {} : { version: live.version }) };
  if (proposal.status === 'rejected') return { result: 'unchanged', ...now };
  // A draft is simply gone; of what a source proposed it is remembered, or the next look at the source brings it again.
  if (proposal.status === 'draft') await dropProposals(tx, [toolId]);
  else await rejectProposal(tx, toolId);
  return { result: 'done', ...now };
}

async function retire(tx: pg.PoolClient, { toolId }: Command, now: string): Promise<ActionResult> {
  const live = (await findLive(tx, [toolId])).get(toolId);
  if (live === undefined) {
    const proposal = await findProposal(tx, toolId);
    return proposal === undefined ? { result: 'unknown_tool' } : conflict('It was never published: use ":reject".');
  }
  const { version } = live;
  if (live.status === 'published') await retireTools(tx, [live], 'operator', now);
  else if (live.retiredBy === 'operator') return { result: 'unchanged', status: 'retired', version };
  else await claimRetirement(tx, toolId);
  return { result: 'done', status: 'retired', version };
}

async function restore(tx: pg.PoolClient, { toolId }: Command, now: string): Promise<ActionResult> {
  const live = (await findLive(tx, [toolId])).get(toolId);
  const contract = (await readContracts(tx, [toolId])).get(toolId);
  if (live === undefined || contract === undefined) {
    const proposal = await findProposal(tx, toolId);
    return proposal === undefined
      ? { result: 'unknown_tool' }
      : conflict('It was never published: use ":publish" or ":approve".');
  }
  const { version, source, contractHash } = live;
  if (live.status === 'published') return { result: 'unchanged', status: 'published', version };
  const planned = { contract, contractHash, status: 'published', eventSequence: live.eventSequence + 1 } as const;
  await writeContracts(tx, [{ source, planned }], now);
  return { result: 'done', status: 'published', version };
}
