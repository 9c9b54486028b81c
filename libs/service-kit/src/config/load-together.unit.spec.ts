import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './load-env.js';
import { loadTogether } from './load-together.js';
import { nearMisses } from './near-misses.js';

const failing = (problems: Record<string, string>) => (): never => {
  throw new ConfigError(problems);
};

describe('loading together', () => {
  it('gives what each loader gives, by name', () => {
    expect(loadTogether({ one: () => 1, two: () => 'two' })).toEqual({ one: 1, two: 'two' });
  });

  it('names what is wrong in all of them, in one message', () => {
    const load = () =>
      loadTogether({ a: failing({ A: 'is bad' }), b: () => 1, c: failing({ B: 'too', C: 'as well' }) });
    expect(load).toThrow(new ConfigError({ A: 'is bad', B: 'too', C: 'as well' }));
  });

  it('does not hide an error of another kind behind a bad setting', () => {
    const broken = (): never => {
      throw new RangeError('broken');
    };
    expect(() => loadTogether({ a: failing({ A: 'is bad' }), broken })).toThrow(RangeError);
  });
});

describe('near misses', () => {
  const known = ['RATE_LIMIT_CALL', 'REDIS_URL', 'PORT', 'HOLD_SWEEP_BATCH'];
  it('are names that nothing reads and that are nearly those of settings', () => {
    const env = { RATE_LIMT_CALL: '5', REDIS_ULR: 'x', hold_sweep_batch: '1' };
    expect(nearMisses(env, known)).toEqual([
      { name: 'RATE_LIMT_CALL', meant: 'RATE_LIMIT_CALL' },
      { name: 'REDIS_ULR', meant: 'REDIS_URL' },
      { name: 'hold_sweep_batch', meant: 'HOLD_SWEEP_BATCH' },
    ]);
  });

  it('are neither settings nor the variables of other programs', () => {
    expect(
      nearMisses({ RATE_LIMIT_CALL: '5', PATH: '/bin', POST: '1', LANGUAGE: 'en', REGISTRY_URL: 'x' }, known),
    ).toEqual([]);
  });
});
