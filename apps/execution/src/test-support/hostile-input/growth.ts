import type { ToolManifest } from '@capability-router/contracts';
import { BuiltinAdapter, type ProviderAnswer, type TaskOutcome } from '@capability-router/provider-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { toolContract } from '../tool-contract.js';
import type { HostileInput } from './inputs.js';

/** The share of its time limit that a tool may take at its bounds. */
const LIMIT_SHARE = 1 / 3;
/** Milliseconds of a limit that are for waiting and loading. */
const WAIT_AND_LOAD_MS = 10_000;
/**
 * How much more than in proportion CPU time may grow: room for noise, for sorting, and for the garbage of a larger heap.
 * With the square of the input it grows by 16 from a quarter to the whole, of which 12 are allowed.
 */
const GROWTH_ROOM = 3;
/** Milliseconds of CPU below which growth cannot be told from the noise of a garbage collection. */
const NOISE_MS = 30;
/** Measurements of a size of which the least counts, once one of them looks as if there were too much growth. */
const TRIES = 5;
/** Shares of an input's bounds that may be its largest. */
const LARGEST = [1, 3 / 4, 1 / 2, 1 / 4, 1 / 8];

/** Runs tools in one process, and finds inputs that take more than their share of it. */
export class GrowthMeter {
  private readonly validator = new ParameterValidator();
  private readonly adapter: BuiltinAdapter;
  private last: TaskOutcome | undefined;

  constructor(operationsUrl: string) {
    const observe = (_toolId: string, _result: string, outcome: TaskOutcome): void => void (this.last = outcome);
    this.adapter = new BuiltinAdapter({ operationsUrl, maxProcesses: 1, observe });
  }

  close(): Promise<void> {
    return this.adapter.close();
  }

  /** Milliseconds of CPU; undefined where a caller could not send the input. Throws where it ended the process. */
  async cpuMsOf(tool: ToolManifest, input: HostileInput, share: number): Promise<number | undefined> {
    const contract = toolContract({ ...tool, schemaHash: tool.toolId });
    const parameters = input.at(share);
    if (this.validator.check(contract, parameters).length > 0) return undefined;
    const answer: ProviderAnswer = await this.adapter.call({
      toolId: tool.toolId,
      provider: contract.provider,
      binding: tool.binding,
      parameters,
      deadlineMs: 60_000,
    });
    if (this.last?.kind !== 'answered') {
      const said = answer.kind === 'failed' ? answer.message : '';
      throw new Error(`${tool.toolId} with ${input.name} at ${share} of its bounds: ${said}`);
    }
    return this.last.usage.cpuMs;
  }

  /**
   * Why an input takes more than its share: of the tool's limit at the largest size that is taken, or of what half of that
   * size and a quarter of it take. Undefined where it does not. `anyGrowth`: only the limit counts.
   */
  async excessOf(tool: ToolManifest, input: HostileInput, anyGrowth: boolean): Promise<string | undefined> {
    const largest = await this.largestOf(tool, input);
    if (largest === undefined) return undefined;
    const sizes: Measured[] = [largest];
    for (const share of anyGrowth ? [] : [largest.share / 2, largest.share / 4]) {
      const cpuMs = await this.cpuMsOf(tool, input, share);
      if (cpuMs !== undefined) sizes.unshift({ share, cpuMs });
    }
    const limitMs = (tool.timeoutMs - WAIT_AND_LOAD_MS) * LIMIT_SHARE;
    for (let tried = 1; ; tried += 1) {
      const excess = excessIn(sizes, limitMs);
      if (excess === undefined || tried === TRIES) return excess && `${tool.toolId} with ${input.name}: ${excess}`;
      // The machine may have been busier for one of the sizes than for the others.
      for (const size of sizes) {
        size.cpuMs = Math.min(size.cpuMs, (await this.cpuMsOf(tool, input, size.share)) ?? size.cpuMs);
      }
    }
  }

  private async largestOf(tool: ToolManifest, input: HostileInput): Promise<Measured | undefined> {
    for (const share of LARGEST) {
      const cpuMs = await this.cpuMsOf(tool, input, share);
      if (cpuMs !== undefined) return { share, cpuMs };
    }
    return undefined;
  }
}

interface Measured {
  readonly share: number;
  cpuMs: number;
}

function excessIn(sizes: readonly Measured[], limitMs: number): string | undefined {
  for (const [index, { share, cpuMs }] of sizes.entries()) {
    const told = `${Math.round(cpuMs)} ms of CPU at ${share} of its bounds`;
    if (cpuMs > limitMs) return `${told}, of ${Math.round(limitMs)} ms`;
    for (const before of sizes.slice(0, index)) {
      const allowedMs = Math.max(before.cpuMs, NOISE_MS) * (share / before.share) * GROWTH_ROOM;
      if (cpuMs > allowedMs) return `${told} after ${Math.round(before.cpuMs)} ms at ${before.share}`;
    }
  }
  return undefined;
}
