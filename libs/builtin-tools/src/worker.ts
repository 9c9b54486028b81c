import type { Operation } from './tool/operation.js';
import { allTools } from './tools.js';

export { ToolInputError } from './tool/tool-input-error.js';
export type { Operation } from './tool/operation.js';

/** What a worker thread runs, by the name in a tool's binding. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  allTools.map((tool) => [tool.manifest.toolId, tool.run]),
);

/**
 * Those that must run in a process of their own, because the process they run in may not survive them, and the
 * milliseconds that each may take there.
 */
export const isolatedOperations: ReadonlyMap<string, number> = new Map(
  allTools.filter(({ isolated }) => isolated).map(({ manifest, runLimitMs }) => [manifest.toolId, runLimitMs]),
);
