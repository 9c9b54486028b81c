import {
  hashPriceRule,
  type EventEnvelope,
  type ToolContract,
  type ToolPublished,
  type ToolRetired,
} from '@capability-router/contracts';
import { type EventBatch, PermanentError } from '@capability-router/event-bus';
import type { Queryable } from '@capability-router/event-store';
import { retireToolCopies, saveToolCopies, type RetiredTool } from './save-tool-copies.sql.js';
import type { ToolCopy } from './tool-copy.entity.js';

/** Keeps what decisions and bindings need to know of each tool of the catalogue. */
export async function copyTools(tx: Queryable, events: EventBatch): Promise<void> {
  // One change per tool: its newest version, and of that the last.
  const changes = new Map<string, ToolCopy | RetiredTool>();
  for (const event of events) {
    const change = changeOf(event);
    if (change === undefined) continue;
    const known = changes.get(change.toolId);
    if (known === undefined || known.version <= change.version) changes.set(change.toolId, change);
  }
  const all = [...changes.values()];
  await saveToolCopies(tx, all.filter(isCopy));
  await retireToolCopies(
    tx,
    all.filter((change) => !isCopy(change)),
  );
}

const isCopy = (change: ToolCopy | RetiredTool): change is ToolCopy => 'price' in change;

function changeOf(event: EventEnvelope): ToolCopy | RetiredTool | undefined {
  if (event.type === 'ToolPublished') {
    const { tool } = event.data as unknown as Partial<ToolPublished>;
    if (tool === undefined) throw new PermanentError(`event ${event.id} has no tool`);
    return copyOf(tool);
  }
  if (event.type === 'ToolRetired') {
    const { toolId, version } = event.data as unknown as ToolRetired;
    return { toolId, version };
  }
  // Kinds that are added later concern readers that know them.
  return undefined;
}

function copyOf(tool: ToolContract): ToolCopy {
  return {
    toolId: tool.toolId,
    version: tool.version,
    retired: false,
    providerId: tool.providerId,
    price: tool.price,
    priceRuleHash: hashPriceRule(tool.price),
    parametersSchema: tool.parametersSchema,
    oneOfRequired: tool.oneOfRequired,
    region: tool.region ?? null,
    ownerAccountIds: [...(tool.provider.ownerAccountIds ?? [])],
    resultSchema: tool.resultPredicates?.schema ?? null,
    terms: tool.terms ?? null,
  };
}
