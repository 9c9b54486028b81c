import type { ToolManifest } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { ParameterValidator } from '@capability-router/tool-calls';
import { toolContract } from '../tool-contract.js';
import { hostileInputs } from './inputs.js';

export interface HostileCall {
  readonly name: string;
  readonly toolId: string;
  readonly parameters: JsonObject;
}

/** Shares of an input's bounds: its largest that a caller can send is taken. */
const SHARES = [1, 1 / 2, 1 / 4];

/**
 * `count` hostile calls of each tool, spread over all that are generated from its schema. Other tools have other ones of
 * the shapes, and another `turn` others again.
 */
export function sampledCalls(tools: readonly ToolManifest[], count: number, turn: number): HostileCall[] {
  const validator = new ParameterValidator();
  return tools.flatMap((tool, place) => {
    const contract = toolContract({ ...tool, schemaHash: tool.toolId });
    const inputs = hostileInputs(tool);
    const step = Math.max(1, Math.floor(inputs.length / count));
    const calls: HostileCall[] = [];
    for (let index = (place * 7 + turn * 3) % step; index < inputs.length && calls.length < count; index += step) {
      const input = inputs[index];
      const parameters = SHARES.map((share) => input?.at(share)).find(
        (given) => given !== undefined && validator.check(contract, given).length === 0,
      );
      if (input !== undefined && parameters !== undefined) {
        calls.push({ name: `${tool.toolId}: ${input.name}`, toolId: tool.toolId, parameters });
      }
    }
    return calls;
  });
}
