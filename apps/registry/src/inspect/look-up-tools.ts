import type { ToolContract } from '@capability-router/contracts';

/** Unknown ids named in a message. */
const MAX_NAMED_IDS = 10;

export interface LookUp {
  /** In the order of the request, each once. */
  readonly tools: readonly ToolContract[];
  /** Null when every id is known. */
  readonly errorMessage: string | null;
}

/** Unknown ids do not fail the others; the message says which they are and what to do. */
export function lookUpTools(toolIds: readonly string[], find: (toolId: string) => ToolContract | undefined): LookUp {
  const tools: ToolContract[] = [];
  const unknown: string[] = [];
  for (const toolId of new Set(toolIds)) {
    const tool = find(toolId);
    if (tool === undefined) unknown.push(toolId);
    else tools.push(tool);
  }
  return { tools, errorMessage: unknown.length === 0 ? null : messageOf(unknown) };
}

function messageOf(unknown: readonly string[]): string {
  const named = unknown.slice(0, MAX_NAMED_IDS).join(', ');
  const more = unknown.length > MAX_NAMED_IDS ? ` and ${unknown.length - MAX_NAMED_IDS} more` : '';
  return `Unknown tool ids: ${named}${more}. Search again and use tool ids exactly as returned.`;
}
