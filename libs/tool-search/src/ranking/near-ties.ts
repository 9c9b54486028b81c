import type { ToolQuality } from '../document.js';

/** Scores that differ by less than this share of the higher one are nearly the same. */
export const NEAR_TIE = 0.02;
/** The success rate that a tool counts with before anybody has measured it: neither good nor bad. */
const UNKNOWN_SUCCESS_RATE = 0.9;
const UNKNOWN_LATENCY_MS = 1_000;
const MICRO_CREDITS_PER_CREDIT = 1_000_000;

/** Higher is better: success first, then latency and price, each by orders of magnitude. */
export function qualityScore({ successRate, averageMs, priceMicroCredits }: ToolQuality): number {
  const latency = Math.log10(1 + Math.max(0, averageMs ?? UNKNOWN_LATENCY_MS));
  const price = Math.log10(1 + Math.max(0, priceMicroCredits ?? 0) / MICRO_CREDITS_PER_CREDIT);
  return (successRate ?? UNKNOWN_SUCCESS_RATE) - 0.05 * latency - 0.05 * price;
}

/**
 * Orders what is nearly tied by quality: from the top, a hit and all that follow within 2 % of its score are one group.
 * Hits of equal quality, and those without any, keep their order.
 */
export function breakNearTies<T extends { readonly score: number; readonly quality: number }>(hits: readonly T[]): T[] {
  const ordered: T[] = [];
  for (let from = 0; from < hits.length;) {
    const least = (hits[from]?.score ?? 0) * (1 - NEAR_TIE);
    let to = from + 1;
    while (to < hits.length && (hits[to]?.score ?? 0) >= least) to += 1;
    ordered.push(...hits.slice(from, to).sort((a, b) => b.quality - a.quality));
    from = to;
  }
  return ordered;
}
