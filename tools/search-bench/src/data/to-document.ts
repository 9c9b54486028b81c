import type { SearchDocument } from '@capability-router/tool-search';
import type { EvalTool } from './eval-data.js';

/** The same fields that the registry indexes of a tool. */
export function toDocument(tool: EvalTool): SearchDocument {
  return {
    toolId: tool.id,
    name: [tool.name],
    description: [tool.description],
    provider: tool.provider === undefined ? [] : [tool.provider],
    category: tool.categories ?? [],
    params: tool.params.flatMap(({ name, description }) => [name, description ?? '']).filter((text) => text !== ''),
  };
}
