import { describe, expect, it } from '@jest/globals';
import { toBaseline } from '../quality/baseline.js';
import type { PoolQuality } from '../quality/score-pools.js';
import { judgeNeeds, risenFloor, type NeedsFloor } from './needs-floor.js';

const quality = (ndcg10: number): PoolQuality['macro'] => ({ ndcg10, recall5: 0, recall10: 0, mrr: 0 });
const pools = (value: number): Record<string, PoolQuality> => ({
  'report en': { macro: quality(value), sources: { a: quality(value) } },
});
const floor = (value: number, answered: number, fingerprint = 'data'): NeedsFloor => ({
  ...toBaseline(fingerprint, pools(value)),
  answered: { en: answered, zh: answered },
});

describe('the floor of the shipped needs', () => {
  it('takes of each figure the better one, so that it only rises', () => {
    expect(risenFloor(floor(0.5, 100), floor(0.6, 90))).toEqual(floor(0.6, 90));
    expect(risenFloor(floor(0.5, 100), floor(0.499, 102))).toEqual(floor(0.5, 100));
    expect(risenFloor(floor(0.5, 100), floor(0.4, 120, 'other data'))).toEqual(floor(0.4, 120, 'other data'));
    expect(risenFloor(undefined, floor(0.4, 120))).toEqual(floor(0.4, 120));
  });

  it('fails a ranking that fell, and data that it does not know', () => {
    expect(judgeNeeds(floor(0.5, 100), 'data', pools(0.5), { en: 100, zh: 100 }).exitCode).toBe(0);
    expect(judgeNeeds(floor(0.5, 100), 'data', pools(0.49), { en: 100, zh: 100 }).exitCode).toBe(1);
    expect(judgeNeeds(floor(0.5, 100), 'other data', pools(0.5), { en: 100, zh: 100 }).exitCode).toBe(2);
    expect(judgeNeeds(undefined, 'data', pools(0.5), { en: 100, zh: 100 }).exitCode).toBe(2);
  });

  it('fails more answers to what nothing serves', () => {
    expect(judgeNeeds(floor(0.5, 100), 'data', pools(0.5), { en: 103, zh: 0 }).exitCode).toBe(0);
    const { exitCode, lines } = judgeNeeds(floor(0.5, 100), 'data', pools(0.5), { en: 100, zh: 104 });
    expect(exitCode).toBe(1);
    expect(lines.join()).toContain('104 needs that no tool serves get an answer (zh), the floor has 100');
  });
});
