import { judgeAgainst, type Baseline, type Verdict } from '../quality/baseline.js';
import type { PoolQuality } from '../quality/score-pools.js';
import { languages, type Language } from './needs-data.js';

/** Answers to needs that no tool serves that may be added before the evaluation fails. */
export const MAX_MORE_ANSWERED = 3;

/** The contents of `needs-floor.json`: nDCG@10 of each half in each language, and the answers to needs that no tool serves. */
export interface NeedsFloor extends Baseline {
  readonly answered: Readonly<Record<Language, number>>;
}

/**
 * The floor after this measurement: of each figure the better one, so that small losses never add up. Other data have a floor
 * of their own.
 */
export function risenFloor(committed: NeedsFloor | undefined, now: NeedsFloor): NeedsFloor {
  if (committed?.fingerprint !== now.fingerprint) return now;
  const higher = (before: number | undefined, value: number): number => Math.max(before ?? 0, value);
  const pools = Object.entries(now.pools).map(([pool, { macro, sources }]) => {
    const before = committed.pools[pool];
    const risen = Object.entries(sources).map(([source, value]) => [source, higher(before?.sources[source], value)]);
    return [
      pool,
      { macro: higher(before?.macro, macro), sources: Object.fromEntries(risen) as Record<string, number> },
    ];
  });
  return {
    fingerprint: now.fingerprint,
    pools: Object.fromEntries(pools) as NeedsFloor['pools'],
    answered: {
      en: Math.min(committed.answered.en, now.answered.en),
      zh: Math.min(committed.answered.zh, now.answered.zh),
    },
  };
}

/** The verdict on the ranking, and on what is answered though nothing serves it. */
export function judgeNeeds(
  floor: NeedsFloor | undefined,
  fingerprint: string,
  pools: Readonly<Record<string, PoolQuality>>,
  answered: Readonly<Record<Language, number>>,
): Verdict {
  if (floor?.fingerprint !== fingerprint) {
    return {
      exitCode: 2,
      lines: [
        'the data are not those of needs-floor.json: nothing was judged. --write-floor takes these figures as the floor.',
      ],
    };
  }
  const ranking = judgeAgainst(floor, fingerprint, pools);
  const more = languages
    .filter((language) => answered[language] > floor.answered[language] + MAX_MORE_ANSWERED)
    .map(
      (language) =>
        `FAILED: ${answered[language]} needs that no tool serves get an answer (${language}), ` +
        `the floor has ${floor.answered[language]}`,
    );
  return more.length === 0 ? ranking : { exitCode: 1, lines: [...ranking.lines, ...more] };
}
