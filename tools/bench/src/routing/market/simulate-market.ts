import { LearnedEvidence } from './learned-evidence.js';
import { ATTEMPTS, costOf, Market } from './market.js';
import { serveRequest } from './serve-request.js';
import { strategies, type StrategyName } from './strategies.js';

/** Requests of one market. */
export const REQUESTS = 3_000;
/** Milliseconds between two of them. */
export const REQUEST_EVERY_MS = 1_000;
export const BEGINS_MS = Date.UTC(2026, 0, 1);
/** Parts of a market for which the mean cost is told. */
export const PARTS = 30;

export interface Run {
  /** Credits of a request on average: price, waiting, and what an unserved one costs. */
  readonly cost: number;
  /** Credits charged, of a served request. */
  readonly price: number;
  /** 0 to 1. */
  readonly success: number;
  readonly ms: number;
  /** The cost in each part of the market, in order. */
  readonly parts: readonly number[];
}

/** One market from its beginning, of which nothing is known. The same seed gives the same run. */
export function simulateMarket(name: StrategyName, seed: number, requests = REQUESTS): Run {
  const market = new Market(seed);
  const evidence = market.providers.map(() => new LearnedEvidence());
  const parts = Array.from({ length: PARTS }, () => 0);
  const sums = { price: 0, served: 0, ms: 0 };
  for (let request = 1; request <= requests; request += 1) {
    const luck = market.next();
    const { providers } = market;
    const situation = { providers, evidence, nowMs: BEGINS_MS + request * REQUEST_EVERY_MS, request, seed };
    const { ms, credits } = serveRequest(strategies[name], situation, luck, ATTEMPTS);
    sums.ms += ms;
    sums.served += credits === undefined ? 0 : 1;
    sums.price += credits ?? 0;
    const part = Math.floor(((request - 1) * PARTS) / requests);
    parts[part] = (parts[part] ?? 0) + costOf(ms, credits) / (requests / PARTS);
  }
  return {
    cost: parts.reduce((sum, cost) => sum + cost, 0) / PARTS,
    price: sums.price / sums.served,
    success: sums.served / requests,
    ms: sums.ms / requests,
    parts,
  };
}
