import { topicNames, type ToolContract, type ToolPublished, type ToolRetired } from '@capability-router/contracts';
import { appendBatch, type BatchItem } from '@capability-router/event-store';
import type pg from 'pg';
import { planTool, type HashedTool, type Intent, type LiveTool, type PlannedContract } from './domain/plan-tool.js';
import { judgeReplacement, type ReplacementVerdict } from './domain/replacement-verdict.js';
import { manifestOf } from './domain/resolve-tool.js';
import { dropProposals, findProposalHeads, saveProposals } from './proposals.sql.js';
import { archiveVersions, findLive, markRetired, readContracts, saveTools, type ToolRow } from './tools.sql.js';

export interface ToolToApply {
  readonly hashed: HashedTool;
  readonly source: string;
  readonly intent: Intent;
}

export type ToolOutcome =
  | {
      readonly toolId: string;
      readonly result:
        | 'created'
        | 'changed'
        | 'restored'
        | 'stays_retired'
        | 'unchanged'
        | 'rejected'
        | 'drafted'
        | 'quarantined';
      /** The version that callers see, or last saw; absent for a tool that was never published. */
      readonly version?: number;
      readonly schemaHash: string;
      /** Only where a version replaces another. */
      readonly verdict?: ReplacementVerdict;
    }
  | { readonly toolId: string; readonly result: 'refused'; readonly message: string };

/**
 * Brings tools to what their sources say: rows and events in the caller's transaction, which holds the lock. With
 * `write: false` it only tells what would become of them. Each tool at most once.
 */
export async function applyTools(
  tx: pg.PoolClient,
  tools: readonly ToolToApply[],
  { now, write }: { readonly now: string; readonly write: boolean },
): Promise<ToolOutcome[]> {
  const toolIds = tools.map(({ hashed }) => hashed.tool.toolId);
  const live = await findLive(tx, toolIds);
  const proposals = await findProposalHeads(tx, toolIds);
  const plans = tools.map((tool) => {
    const { toolId } = tool.hashed.tool;
    const known = { live: live.get(toolId), proposal: proposals.get(toolId) };
    return { ...tool, toolId, live: known.live, plan: planTool(tool.hashed, tool.source, tool.intent, known) };
  });
  const saved = plans.flatMap(({ source, plan }) => (plan.kind === 'save' ? [{ source, planned: plan.planned }] : []));
  const replaced = saved.flatMap(({ planned }) => (planned.replaces === undefined ? [] : [planned.contract.toolId]));
  const before = replaced.length === 0 ? new Map<string, ToolContract>() : await readContracts(tx, replaced);
  if (write) {
    await writeContracts(tx, saved, now);
    // Where the contract is what callers see, now or as before, nothing waits any more.
    const settled = plans.filter(
      ({ toolId, hashed, live: known, plan }) =>
        proposals.has(toolId) && (plan.kind === 'save' || known?.contractHash === hashed.contractHash),
    );
    await dropProposals(
      tx,
      settled.map(({ toolId }) => toolId),
    );
    await saveProposals(
      tx,
      plans.flatMap(({ hashed, source, plan }) =>
        plan.kind !== 'propose'
          ? []
          : [
              {
                toolId: hashed.tool.toolId,
                providerId: hashed.tool.providerId,
                source,
                status: plan.result === 'drafted' ? ('draft' as const) : ('quarantined' as const),
                schemaHash: hashed.schemaHash,
                contractHash: hashed.contractHash,
                manifest: manifestOf(hashed.tool),
              },
            ],
      ),
      now,
    );
  }
  return plans.map((entry) => outcomeOf(entry, before));
}

function outcomeOf(
  {
    toolId,
    hashed,
    live,
    plan,
  }: { toolId: string; hashed: HashedTool; live: LiveTool | undefined; plan: ReturnType<typeof planTool> },
  before: ReadonlyMap<string, ToolContract>,
): ToolOutcome {
  if (plan.kind === 'refuse') return { toolId, result: 'refused', message: plan.message };
  if (plan.kind !== 'save') {
    const version = live === undefined ? {} : { version: live.version };
    return { toolId, result: plan.result, ...version, schemaHash: hashed.schemaHash };
  }
  const { contract } = plan.planned;
  const old = before.get(toolId);
  const verdict = old === undefined ? {} : { verdict: judgeReplacement(old, contract) };
  return { toolId, result: plan.result, version: contract.version, schemaHash: contract.schemaHash, ...verdict };
}

/** Rows, kept versions and events of new contracts. */
export async function writeContracts(tx: pg.PoolClient, tools: readonly ToolRow[], now: string): Promise<void> {
  if (tools.length === 0) return;
  const replaced = tools.flatMap(({ planned }) => (planned.replaces === undefined ? [] : [planned.contract.toolId]));
  if (replaced.length > 0) await archiveVersions(tx, replaced, now);
  await saveTools(tx, tools, now);
  const published = tools.filter(({ planned }) => planned.status === 'published');
  await appendBatch(
    tx,
    'registry',
    published.map(({ planned }) => publishedEvent(planned, now)),
  );
}

/** Takes tools out of the catalogue, with their events. */
export async function retireTools(
  tx: pg.PoolClient,
  tools: readonly LiveTool[],
  by: 'source' | 'operator',
  now: string,
): Promise<void> {
  await markRetired(
    tx,
    tools.map((tool) => tool.toolId),
    by,
    now,
  );
  await appendBatch(
    tx,
    'registry',
    tools.map(({ toolId, version, eventSequence }) => ({
      streamId: toolId,
      sequence: eventSequence + 1,
      event: {
        type: 'ToolRetired',
        topic: topicNames.catalogue,
        partitionKey: toolId,
        data: { toolId, version, retiredAt: now } satisfies ToolRetired,
        time: now,
      },
    })),
  );
}

const publishedEvent = ({ contract, eventSequence }: PlannedContract, now: string): BatchItem => ({
  streamId: contract.toolId,
  sequence: eventSequence,
  event: {
    type: 'ToolPublished',
    topic: topicNames.catalogue,
    partitionKey: contract.toolId,
    data: { tool: contract } satisfies ToolPublished,
    time: now,
  },
});
