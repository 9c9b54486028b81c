import { afterAll, describe, expect, it } from '@jest/globals';
import { builtinOperationsUrl, builtinTools } from '@capability-router/builtin-tools';
import type { ToolManifest } from '@capability-router/contracts';
import { GrowthMeter } from '../test-support/hostile-input/growth.js';
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

/** Tools whose time does not grow in proportion to their input, and what bounds it instead. */
const boundedOtherwise: Readonly<Record<string, string>> = {
  'scribe.text.diff.v1':
    'stops after DIFF_TIMEOUT_MS with a refusal: the shortest difference takes the square of the text',
  'toolbox.text.diff.v1': 'stops after DIFF_TIMEOUT_MS with a longer difference',
  'forge.regex.match.v1': 'refuses a pattern whose product with its text is above MAX_STEPS; both grow here',
};

/** One in so many shapes is tried of a tool that looks for differences until its time is up. */
const everyOf = ({ toolId }: ToolManifest): number => (toolId.includes('.text.diff.') && !isThorough ? 40 : 1);

const meter = new GrowthMeter(builtinOperationsUrl);
afterAll(() => meter.close());

describe('CPU time of built-in tools over hostile inputs', () => {
  it.each(builtinTools.map((tool) => [tool.toolId, tool] as const))('%s', async (_toolId, tool) => {
    const small: { readonly input: HostileInput; readonly cpuMs: number }[] = [];
    const inputs = hostileInputs(tool).filter((_, index) => index % everyOf(tool) === 0);
    for (const input of inputs) {
      const cpuMs = await meter.cpuMsOf(tool, input, SMALL);
      if (cpuMs !== undefined) small.push({ input, cpuMs });
    }
    small.sort((a, b) => b.cpuMs - a.cpuMs);
    for (const { input } of isThorough ? small : small.slice(0, WORST_SHAPES)) {
      expect(await meter.excessOf(tool, input, tool.toolId in boundedOtherwise)).toBeUndefined();
    }
  });

  it('of ordinary English as long as a tool takes is in proportion, and the tool answers', async () => {
    const tool = builtinTools.find(({ toolId }) => toolId === 'lingua.readability.score.v1');
    if (tool === undefined) throw new Error('no such tool');
    const sentence = 'The committee met on Tuesday, and most of its members agreed that the road should be mended. ';
    const english = (characters: number): HostileInput => ({
      name: `English of ${characters} characters`,
      at: (share) => ({ text: sentence.repeat(1_000).slice(0, Math.floor(characters * share)) }),
    });
    for (const characters of [30_000, 50_000]) {
      expect(await meter.cpuMsOf(tool, english(characters), 1)).toEqual(expect.any(Number));
      expect(await meter.excessOf(tool, english(characters), false)).toBeUndefined();
    }
  });
});

describe('a tool that is found', () => {
  const operations = `export const operations = new Map(Object.entries({
    each: ({ text }) => { let sum = 0; for (let round = 0; round < 4_000; round += 1) for (let a = 0; a < text.length; a += 1) sum += text.charCodeAt(a); return sum; },
    pairs: ({ text }) => { let sum = 0; for (let round = 0; round < 2; round += 1) for (let a = 0; a < text.length; a += 1) for (let b = 0; b < text.length; b += 1) sum += text.charCodeAt(b); return sum; },
    slow: () => { let sum = 0; for (let a = 0; a < 3e8; a += 1) sum += a % 7; return sum; },
  }));`;
  const own = new GrowthMeter(`data:text/javascript,${encodeURIComponent(operations)}`);
  afterAll(() => own.close());

  const LONGEST = 16_000;
  const LOOKS = 3;
  const toolOf = (operation: string): ToolManifest => ({
    ...toolContract({
      toolId: `demo.text.${operation}.v1`,
      binding: { kind: 'builtin', operation },
      timeoutMs: operation === 'slow' ? 10_100 : 60_000,
      parametersSchema: {
        type: 'object',
        additionalProperties: false,
        properties: { text: { type: 'string', maxLength: LONGEST } },
      },
    }),
  });
  const letters = (longest: number): HostileInput => ({
    name: 'letters',
    at: (share) => ({ text: 'a'.repeat(longest * share) }),
  });

  /** A moment in which the machine makes a small input slow hides the growth: a tool is looked at again before it counts as innocent. */
  const foundIn = async (tool: ToolManifest, input: HostileInput): Promise<string | undefined> => {
    for (let look = 1; look < LOOKS; look += 1) {
      const excess = await own.excessOf(tool, input, false);
      if (excess !== undefined) return excess;
    }
    return own.excessOf(tool, input, false);
  };

  it.each([
    [
      'is one whose time grows with the square of its input',
      'pairs',
      LONGEST,
      /at 1 of its bounds after \d+ ms at 0\.25$/,
    ],
    [
      'is so also where the largest input is refused',
      'pairs',
      (LONGEST * 4) / 3,
      /at 0\.75 of its bounds after \d+ ms at 0\.1875$/,
    ],
    [
      'is one that takes more than a third of its limit',
      'slow',
      LONGEST,
      /ms of CPU at [\d.]+ of its bounds, of 33 ms$/,
    ],
  ])('%s', async (_what, operation, longest, excess) => {
    expect(await foundIn(toolOf(operation), letters(longest))).toMatch(excess);
  });

  it('is none whose time grows in proportion', async () => {
    expect(await own.excessOf(toolOf('each'), letters(LONGEST), false)).toBeUndefined();
  });
});
