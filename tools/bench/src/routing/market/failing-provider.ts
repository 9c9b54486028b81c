import { medianOf, percentile } from '../../statistics.js';
import { LEARNED_AFTER_MS, LearnedEvidence } from './learned-evidence.js';
import type { Provider } from './market.js';
import { randomOf } from './random.js';
import { serveRequest } from './serve-request.js';
import { BEGINS_MS } from './simulate-market.js';
import { strategies, type StrategyName } from './strategies.js';

/** Requests of one run, and milliseconds between two of them: five minutes, in which the breaker is tried again several times. */
const REQUESTS = 6_000;
const EVERY_MS = 50;

const provider = (name: string, credits: number, failures: number): Provider => ({
  toolId: `${name}.resource.action.v1`,
  credits,
  ms: 400,
  failures,
  outage: 0,
});
/** The one that fails is the cheapest, so everything speaks for it until it is known. */
const failing = provider('failing', 0.2, 1);
const providers = [failing, provider('middle', 0.3, 0.01), provider('dear', 0.4, 0.01)];

export interface FailingRun {
  /** The share of all requests, 0 to 1. */
  readonly success: number;
  /** Share of the requests that met the provider that fails, once it is learned that it does. */
  readonly met: number;
  /** Attempts beyond the first, of a request once that is learned; the 95th percentile, and on average. */
  readonly extraP95: number;
  readonly extraMean: number;
  /** Milliseconds of a request beyond those of the attempt that served, 95th percentile, once that is learned. */
  readonly extraMsP95: number;
}

/** One of three providers fails every call from the beginning, of which nothing is known. The same seed gives the same run. */
export function simulateFailingProvider(name: StrategyName, seed: number, requests = REQUESTS): FailingRun {
  const evidence = providers.map(() => new LearnedEvidence());
  const after: { readonly extra: number; readonly extraMs: number; readonly met: boolean }[] = [];
  let served = 0;
  for (let request = 0; request < requests; request += 1) {
    const random = randomOf(seed * 100_003 + request);
    const luck = providers.map(() => random());
    const situation = { providers, evidence, nowMs: BEGINS_MS + request * EVERY_MS, request, seed };
    const { ms, credits, tried } = serveRequest(strategies[name], situation, luck, providers.length);
    served += credits === undefined ? 0 : 1;
    if (request * EVERY_MS < LEARNED_AFTER_MS) continue;
    const extraMs = credits === undefined ? ms : ms - (tried.at(-1)?.ms ?? 0);
    after.push({ extra: tried.length - 1, extraMs, met: tried.some((one) => one.provider === failing) });
  }
  return {
    success: served / requests,
    met: after.filter(({ met }) => met).length / after.length,
    extraP95: p95(after.map(({ extra }) => extra)),
    extraMean: after.reduce((sum, { extra }) => sum + extra, 0) / after.length,
    extraMsP95: p95(after.map(({ extraMs }) => extraMs)),
  };
}

const p95 = (values: number[]): number =>
  percentile(
    values.sort((a, b) => a - b),
    0.95,
  );

/** Over so many seeds: the worst success and percentiles, the median of the others. */
export function measureFailingProvider(name: StrategyName, seeds: number): FailingRun {
  const runs = Array.from({ length: seeds }, (_, index) => simulateFailingProvider(name, index + 1));
  return {
    success: Math.min(...runs.map(({ success }) => success)),
    met: medianOf(runs, ({ met }) => met),
    extraP95: Math.max(...runs.map(({ extraP95 }) => extraP95)),
    extraMean: medianOf(runs, ({ extraMean }) => extraMean),
    extraMsP95: Math.max(...runs.map(({ extraMsP95 }) => extraMsP95)),
  };
}
