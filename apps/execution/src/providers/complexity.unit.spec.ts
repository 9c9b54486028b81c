import { afterAll, describe, expect, it } from '@jest/globals';
import { builtinOperationsUrl, builtinTools } from '@capability-router/builtin-tools';
import type { ToolManifest } from '@capability-router/contracts';
import { BuiltinAdapter, type ProviderAnswer, type TaskOutcome } from '@capability-router/provider-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { hostileInputs, type HostileInput } from '../test-support/hostile-input/inputs.js';
import { toolContract } from '../test-support/tool-contract.js';

/** @measures-time CPU time of inputs of several sizes is compared. */

/**
 * No input that a tool's schema allows takes more than its share: generated for every built-in tool, so that the next one is
 * covered by being there. Measured is CPU time within the process that runs the tool, which a busy machine hardly changes.
 */

/** The whole of each shape is measured, and not only of those that look worst in small. */
const isThorough = process.env['TEST_COMPLEXITY'] === 'thorough';
/** Shapes of a tool, the worst in small, that are measured in all sizes. */
const WORST_SHAPES = 2;
const SMALL = 1 / 32;

/** What a tool may take of its time limit at its bounds. */
const LIMIT_SHARE = 1 / 3;
/** How much more than in proportion CPU time may grow: room for noise, and for what sorting adds. */
const GROWTH_ROOM = 2;
/** Milliseconds of CPU below which growth cannot be told from the noise of a garbage collection. */
const NOISE_MS = 50;
/** Tries of two measurements of which the second is over its bound. */
const TRIES = 3;

/** Tools whose time does not grow in proportion to their input, and what bounds it instead. */
const boundedOtherwise: Readonly<Record<string, string>> = {
  'scribe.text.diff.v1':
    'stops after DIFF_TIMEOUT_MS with a refusal: the shortest difference takes the square of the text',
  'toolbox.text.diff.v1': 'stops after DIFF_TIMEOUT_MS with a longer difference',
  'forge.regex.match.v1': 'refuses a pattern whose product with its text is above MAX_STEPS; both grow here',
};

/** Of the shapes of a tool that looks for differences until its time is up, one in so many is tried. */
const everyOf = ({ toolId }: ToolManifest): number => (toolId.includes('.text.diff.') && !isThorough ? 40 : 1);

let last: TaskOutcome | undefined;
const adapter = new BuiltinAdapter({
  operationsUrl: builtinOperationsUrl,
  maxProcesses: 1,
  observe: (_toolId, _result, outcome) => (last = outcome),
});
afterAll(() => adapter.close());

const validator = new ParameterValidator();

/** Milliseconds of CPU; undefined where a caller could not send the input. Throws where it ended the process. */
async function cpuMsOf(tool: ToolManifest, input: HostileInput, share: number): Promise<number | undefined> {
  const contract = toolContract({ ...tool, schemaHash: tool.toolId });
  const parameters = input.at(share);
  if (validator.check(contract, parameters).length > 0) return undefined;
  const answer: ProviderAnswer = await adapter.call({
    toolId: tool.toolId,
    provider: contract.provider,
    binding: tool.binding,
    parameters,
    deadlineMs: 60_000,
  });
  if (last?.kind !== 'answered') {
    const said = answer.kind === 'failed' ? answer.message : '';
    throw new Error(`${tool.toolId} with ${input.name} at ${share} of its bounds: ${said}`);
  }
  return last.usage.cpuMs;
}

/** Throws where the input takes more than its share. */
async function expectModest(tool: ToolManifest, input: HostileInput): Promise<void> {
  const limitMs = (tool.timeoutMs - WAIT_AND_LOAD_MS) * LIMIT_SHARE;
  const measure = async (share: number): Promise<number> => (await cpuMsOf(tool, input, share)) ?? 0;
  let [share, beforeMs] = [1 / 4, await measure(1 / 4)];
  for (const next of [1 / 2, 1]) {
    const allowedMs = (): number => {
      const inProportionMs = Math.max(beforeMs, NOISE_MS) * (next / share) * GROWTH_ROOM;
      return tool.toolId in boundedOtherwise ? limitMs : Math.min(limitMs, inProportionMs);
    };
    let cpuMs = await measure(next);
    // The machine may have been busier for one of the two sizes than for the other.
    for (let tried = 1; tried < TRIES && cpuMs > allowedMs(); tried += 1) {
      beforeMs = Math.max(beforeMs, await measure(share));
      cpuMs = Math.min(cpuMs, await measure(next));
    }
    const what = `${input.name} at ${next} of its bounds after ${Math.round(beforeMs)} ms at ${share}`;
    const found = { what, cpuMs, allowedMs: allowedMs() };
    expect({ ...found, modest: cpuMs <= found.allowedMs }).toEqual({ ...found, modest: true });
    [share, beforeMs] = [next, cpuMs];
  }
}

const WAIT_AND_LOAD_MS = 10_000;

describe('CPU time of built-in tools over hostile inputs', () => {
  it.each(builtinTools.map((tool) => [tool.toolId, tool] as const))('%s', async (_toolId, tool) => {
    const small: { readonly input: HostileInput; readonly cpuMs: number }[] = [];
    const inputs = hostileInputs(tool).filter((_, index) => index % everyOf(tool) === 0);
    for (const input of inputs) {
      const cpuMs = await cpuMsOf(tool, input, SMALL);
      if (cpuMs !== undefined) small.push({ input, cpuMs });
    }
    small.sort((a, b) => b.cpuMs - a.cpuMs);
    for (const { input } of isThorough ? small : small.slice(0, WORST_SHAPES)) await expectModest(tool, input);
  });
});
