import type { EventEnvelope, ToolPublished, ToolRetired } from '@capability-router/contracts';
import { type EventBatch, PermanentError } from '@capability-router/event-bus';
import type { Queryable } from '@capability-router/event-store';
import { retireToolSchemas, saveToolSchemas } from './save-tool-schemas.sql.js';
import type { ToolSchemaRecord } from './tool-schema.entity.js';

type Change = ToolSchemaRecord | ToolRetired;

/** Keeps what each tool of the catalogue takes and gives, so that bindings can be checked against it. */
export async function copyToolSchemas(tx: Queryable, events: EventBatch): Promise<void> {
  // One change per tool: of its newest version, and of that the last.
  const changes = new Map<string, Change>();
  for (const event of events) {
    const change = changeOf(event);
    if (change === undefined) continue;
    const known = changes.get(change.toolId);
    if (known === undefined || known.version <= change.version) changes.set(change.toolId, change);
  }
  const all = [...changes.values()];
  await saveToolSchemas(tx, all.filter(isPublished));
  await retireToolSchemas(
    tx,
    all.filter((change) => !isPublished(change)).map(({ toolId, version }) => ({ toolId, version })),
  );
}

const isPublished = (change: Change): change is ToolSchemaRecord => 'parametersSchema' in change;

function changeOf(event: EventEnvelope): Change | undefined {
  if (event.type === 'ToolPublished') {
    const { tool } = event.data as unknown as Partial<ToolPublished>;
    if (tool === undefined) throw new PermanentError(`event ${event.id} has no tool`);
    const { toolId, version, parametersSchema, oneOfRequired } = tool;
    const resultSchema = tool.resultPredicates?.schema ?? null;
    return { toolId, version, retired: false, parametersSchema, oneOfRequired, resultSchema };
  }
  // Kinds that are added later concern readers that know them.
  return event.type === 'ToolRetired' ? (event.data as unknown as ToolRetired) : undefined;
}
