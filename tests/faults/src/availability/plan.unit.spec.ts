import { describe, expect, it } from '@jest/globals';
import { planOf } from './plan.js';

/** A clock that goes on by a minute with each look. */
function minutes(): () => number {
  let now = 0;
  return () => (now += 60_000);
}
const names = (env: NodeJS.ProcessEnv): string[] => [...planOf(env, minutes()).faults].map(({ name }) => name);

describe('what a run of the torture plays', () => {
  it('is the short faults where no minutes are given', () => {
    expect(names({}).length).toBeGreaterThan(0);
    expect(names({}).length).toBeLessThan(names({ TORTURE_MINUTES: '60' }).length);
  });

  it('is the same for the same seed, another for another, and ends in time', () => {
    const seven = { TORTURE_MINUTES: '40', TORTURE_SEED: '7' };
    expect(names(seven)).toEqual(names(seven));
    expect(names(seven)).not.toEqual(names({ ...seven, TORTURE_SEED: '8' }));
    expect(names(seven).length).toBeLessThanOrEqual(40);
  });

  it('is what is chosen by a part of its name', () => {
    expect(names({ TORTURE_ONLY: 'Redis is frozen\nkafka is frozen' })).toEqual([
      'kafka is frozen by SIGSTOP',
      'redis is frozen by SIGSTOP',
    ]);
    expect(new Set(names({ TORTURE_ONLY: 'redis', TORTURE_MINUTES: '9', TORTURE_SEED: '7' })).size).toBe(1);
    expect(() => planOf({ TORTURE_ONLY: 'no such fault' })).toThrow(/redis is frozen/);
  });
});
