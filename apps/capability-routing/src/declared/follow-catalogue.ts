import type { EventEnvelope, ToolPublished, ToolRetired } from '@capability-router/contracts';
import { type EventBatch, PermanentError } from '@capability-router/event-bus';
import type { Queryable } from '@capability-router/event-store';
import { saveDeclarations, type Declaration } from './declared-capabilities.sql.js';

/**
 * Keeps which capability ids the tools of the catalogue declare, so that every id that a search shows is known here, with a
 * contract or without.
 */
export async function followCatalogue(tx: Queryable, events: EventBatch): Promise<void> {
  // One declaration per tool: of its newest version, and of that the last.
  const declarations = new Map<string, Declaration>();
  for (const event of events) {
    const declaration = declarationOf(event);
    if (declaration === undefined) continue;
    const known = declarations.get(declaration.toolId);
    if (known === undefined || known.version <= declaration.version) declarations.set(declaration.toolId, declaration);
  }
  if (declarations.size > 0) await saveDeclarations(tx, [...declarations.values()]);
}

function declarationOf(event: EventEnvelope): Declaration | undefined {
  if (event.type === 'ToolPublished') {
    const { tool } = event.data as unknown as Partial<ToolPublished>;
    if (tool === undefined) throw new PermanentError(`event ${event.id} has no tool`);
    const { toolId, version, description } = tool;
    return { toolId, version, capabilityIds: tool.capabilities.map(({ id }) => id), description };
  }
  if (event.type === 'ToolRetired') {
    const { toolId, version } = event.data as unknown as ToolRetired;
    return { toolId, version, capabilityIds: [], description: { en: '' } };
  }
  // Kinds that are added later concern readers that know them.
  return undefined;
}
