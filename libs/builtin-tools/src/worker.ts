import type { JsonObject } from '@capability-router/kernel';
import type { Operation } from './tool/operation.js';
import { allTools } from './tools.js';

export { ToolInputError } from './tool/tool-input-error.js';
export type { Operation } from './tool/operation.js';

/** The operations that a runner process runs, by the name in a tool's binding. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  allTools.map((tool) => [tool.manifest.toolId, tool.run]),
);

/** Milliseconds that each may take once all that it needs has been loaded. */
export const runLimitsMs: ReadonlyMap<string, number> = new Map(
  allTools.map(({ manifest, runLimitMs }) => [manifest.toolId, runLimitMs]),
);

/** Parameters with which each has loaded all that it needs: a runner uses them before the first call. */
export const samples: ReadonlyMap<string, JsonObject> = new Map(
  allTools.map(({ manifest }) => [manifest.toolId, manifest.sampleParameters]),
);
