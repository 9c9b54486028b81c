import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { builtinTools } from '../index.js';
import { operations } from '../worker.js';

/** The answer of a tool's operation to these parameters, or to its sample parameters. */
export async function runTool(toolId: string, parameters?: JsonObject): Promise<JsonValue> {
  const operation = operations.get(toolId);
  const tool = builtinTools.find((candidate) => candidate.toolId === toolId);
  if (operation === undefined || tool === undefined) throw new Error(`no tool ${toolId}`);
  return operation(parameters ?? tool.sampleParameters);
}
