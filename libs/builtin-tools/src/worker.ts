import type { Operation } from './tool/operation.js';
import { allTools } from './tools.js';

export { ToolInputError } from './tool/tool-input-error.js';
export type { Operation } from './tool/operation.js';

/** What a worker thread runs, by the name in a tool's binding. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  allTools.map((tool) => [tool.manifest.toolId, tool.run]),
);
