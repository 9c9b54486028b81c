import type { ToolContract } from '@capability-router/contracts';

/** Ids named in one sentence of a message. */
const MAX_NAMED_IDS = 10;

export interface LookUp {
  /** In the order of the request, each once. */
  readonly tools: readonly ToolContract[];
  /** Ids that name no published tool, each once. */
  readonly missing: readonly string[];
}

/** Ids that are missing do not fail the others. An id that is there twice is looked up once. */
export function lookUpTools(toolIds: readonly string[], find: (toolId: string) => ToolContract | undefined): LookUp {
  const tools: ToolContract[] = [];
  const missing: string[] = [];
  for (const toolId of new Set(toolIds)) {
    const tool = find(toolId);
    if (tool === undefined) missing.push(toolId);
    else tools.push(tool);
  }
  return { tools, missing };
}

/** Says which tools are missing, why, and what to do; null when none is. */
export function messageOfMissing(missing: readonly string[], retired: ReadonlySet<string>): string | null {
  if (missing.length === 0) return null;
  const gone = missing.filter((toolId) => retired.has(toolId));
  const unknown = missing.filter((toolId) => !retired.has(toolId));
  const sentences = [
    ...(unknown.length > 0 ? [`Unknown tool ids: ${named(unknown)}.`] : []),
    ...(gone.length > 0 ? [`Retired tool ids: ${named(gone)}.`] : []),
    'Search again and use tool ids exactly as returned.',
  ];
  return sentences.join(' ');
}

function named(toolIds: readonly string[]): string {
  const more = toolIds.length > MAX_NAMED_IDS ? ` and ${toolIds.length - MAX_NAMED_IDS} more` : '';
  return `${toolIds.slice(0, MAX_NAMED_IDS).join(', ')}${more}`;
}
