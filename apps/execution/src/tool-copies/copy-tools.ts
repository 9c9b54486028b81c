import { randomUUID } from 'node:crypto';
import type { EventEnvelope, ToolPublished, ToolRetired } from '@capability-router/contracts';
import { type EventBatch, PermanentError } from '@capability-router/event-bus';
import { appendToStream } from '@capability-router/event-store';
import type pg from 'pg';
import { saveToolCopies, type ToolCopyChange } from './tool-copies.sql.js';

/** A topic of this service's own store, never published: it tells every replica which copies to read again. */
export const TOOL_COPIES_TOPIC = 'local.execution.tool-copies';

export interface ToolCopiesChanged {
  readonly toolIds: readonly string[];
}

/** Keeps the copies of the catalogue that every replica validates, prices and runs by. */
export async function copyTools(tx: pg.PoolClient, events: EventBatch): Promise<void> {
  // One change per tool: its newest version, and of that the last.
  const changes = new Map<string, ToolCopyChange>();
  for (const event of events) {
    const change = changeOf(event);
    if (change === undefined) continue;
    const known = changes.get(change.toolId);
    if (known === undefined || known.version <= change.version) changes.set(change.toolId, change);
  }
  if (changes.size === 0) return;
  await saveToolCopies(tx, [...changes.values()]);
  const data: ToolCopiesChanged = { toolIds: [...changes.keys()] };
  const changeId = randomUUID();
  await appendToStream(tx, 'execution', `tool-copies:${changeId}`, 0, [
    { type: 'ToolCopiesChanged', topic: TOOL_COPIES_TOPIC, partitionKey: 'tool-copies', data },
  ]);
}

function changeOf(event: EventEnvelope): ToolCopyChange | undefined {
  if (event.type === 'ToolPublished') {
    const { tool } = event.data as unknown as Partial<ToolPublished>;
    if (tool === undefined) throw new PermanentError(`event ${event.id} has no tool`);
    return { toolId: tool.toolId, version: tool.version, tool };
  }
  if (event.type === 'ToolRetired') {
    const { toolId, version } = event.data as unknown as ToolRetired;
    return { toolId, version };
  }
  // Kinds that are added later concern readers that know them.
  return undefined;
}
