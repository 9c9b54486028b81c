import type { PoolQuality } from './score-pools.js';

/** nDCG@10 that may be lost before the evaluation fails. */
export const MAX_MACRO_LOSS = 0.005;
export const MAX_SOURCE_LOSS = 0.02;

/** nDCG@10 by pool, over all sources and of each. */
export interface Baseline {
  readonly fingerprint: string;
  readonly pools: Readonly<
    Record<string, { readonly macro: number; readonly sources: Readonly<Record<string, number>> }>
  >;
}

const DIGITS = 4;
const rounded = (value: number): number => Number(value.toFixed(DIGITS));

export function toBaseline(fingerprint: string, pools: Readonly<Record<string, PoolQuality>>): Baseline {
  return {
    fingerprint,
    pools: Object.fromEntries(
      Object.entries(pools).map(([pool, { macro, sources }]) => [
        pool,
        {
          macro: rounded(macro.ndcg10),
          sources: Object.fromEntries(Object.entries(sources).map(([source, { ndcg10 }]) => [source, rounded(ndcg10)])),
        },
      ]),
    ),
  };
}

/** The baseline of the other pools, for a run that does not measure this one. */
export function withoutPool(baseline: Baseline | undefined, pool: string): Baseline | undefined {
  if (baseline === undefined) return undefined;
  return { ...baseline, pools: Object.fromEntries(Object.entries(baseline.pools).filter(([name]) => name !== pool)) };
}

/** The exit code of the command, and its text. */
export interface Verdict {
  /** 0: the ranking holds; 1: it fell below the baseline; 2: the baseline is of other data and nothing was judged. */
  readonly exitCode: 0 | 1 | 2;
  readonly lines: readonly string[];
}

/** Figures of other data say nothing about the ranking, so only those of the baseline's data are judged. */
export function judgeAgainst(
  baseline: Baseline | undefined,
  fingerprint: string,
  pools: Readonly<Record<string, PoolQuality>>,
): Verdict {
  if (baseline?.fingerprint !== fingerprint) {
    return {
      exitCode: 2,
      lines: [
        'there is no baseline for these data: nothing was judged, and the report was left as it ' +
          'is. `--write-baseline` makes these data the ones that are judged.',
      ],
    };
  }
  const losses = lossesAgainst(baseline, pools);
  if (losses.length === 0) return { exitCode: 0, lines: ['the ranking holds its baseline'] };
  return {
    exitCode: 1,
    lines: [...losses.map((loss) => `FAILED: ${loss}`), `${losses.length} figures fell below the baseline`],
  };
}

/** One sentence for each figure that fell too far or is gone; empty where the ranking holds. */
export function lossesAgainst(baseline: Baseline, pools: Readonly<Record<string, PoolQuality>>): string[] {
  const losses: string[] = [];
  for (const [pool, expected] of Object.entries(baseline.pools)) {
    const now = pools[pool];
    if (now === undefined) {
      losses.push(`${pool}: not measured, the baseline has it`);
      continue;
    }
    const judge = (what: string, before: number, value: number | undefined, allowed: number): void => {
      if (value === undefined) losses.push(`${pool}, ${what}: not measured, the baseline has it`);
      else if (before - value > allowed)
        losses.push(`${pool}, ${what}: nDCG@10 ${value.toFixed(DIGITS)}, the baseline has ${before.toFixed(DIGITS)}`);
    };
    judge('macro', expected.macro, now.macro.ndcg10, MAX_MACRO_LOSS);
    for (const [source, before] of Object.entries(expected.sources)) {
      judge(source, before, now.sources[source]?.ndcg10, MAX_SOURCE_LOSS);
    }
  }
  return losses;
}
