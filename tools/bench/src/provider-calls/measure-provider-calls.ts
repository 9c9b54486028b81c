import { ExpectedBooks } from '../accounted-calls/books.js';
import type { StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { openFundedAccounts } from '../accounted-calls/open-accounts.js';
import { withLoopbackProcesses } from './loopback-processes.js';
import { measureAddedLatency, type LatencyResult } from './measure-added-latency.js';
import { measureMemory, type MemoryResult } from './measure-memory.js';
import { measureSlowCalls, type SlowResult } from './measure-slow-calls.js';
import { publishTools, type PublishedTool } from './publish-tools.js';
import type { Sizes } from './sizes.js';

/** Milliseconds after which the providers answer. */
const USUAL_MS = 20;
const SLOW_MS = 2_000;

const usual: PublishedTool = { providerId: 'bench-usual', delayMs: USUAL_MS };
const immediate: PublishedTool = { providerId: 'bench-immediate', delayMs: 0 };

export interface ProviderCallsResult {
  readonly accounts: number;
  readonly latency: LatencyResult;
  readonly slow: SlowResult;
  readonly memory: MemoryResult;
}

/** Paid calls of HTTP providers, which are a process of their own. */
export function measureProviderCalls(
  target: StandaloneTarget,
  sizes: Sizes,
  log: (line: string) => void,
): Promise<ProviderCallsResult> {
  const slow = Array.from({ length: sizes.slow.providers }, (_, index) => ({
    providerId: `bench-slow-${index}`,
    delayMs: SLOW_MS,
  }));
  return withLoopbackProcesses(async (processes) => {
    const keys = await openFundedAccounts(
      { origin: target.origin, key: target.adminKey },
      sizes.accounts,
      target.billing,
    );
    const api = { origin: target.origin, adminKey: target.adminKey, callKey: keys[0] ?? '' };
    await publishTools(api, [usual, immediate, ...slow], processes.providerOrigin);
    const books = await ExpectedBooks.openAtRest(target.billing);
    const site = { target, processes, books, keys };
    const latency = await measureAddedLatency({ ...site, tool: usual }, sizes.latency, log);
    // Before the slow calls, which leave a heap behind that later shrinks: that would hide what grows.
    const memory = await measureMemory({ ...site, tool: immediate }, sizes.memory, log);
    return {
      accounts: keys.length,
      latency,
      memory,
      slow: await measureSlowCalls({ ...site, tools: slow, fastTool: usual }, sizes.slow, log),
    };
  });
}
