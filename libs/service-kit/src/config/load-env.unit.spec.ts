import { describe, expect, it } from '@jest/globals';
import { commonEnvSpec, databaseEnvSpec } from './common-env.js';
import { ConfigError, describeEnv, loadEnv } from './load-env.js';
import { creditAmount, flag, integer, jsonObject, list, oneOf, url } from './validators.js';

const spec = {
  LIMIT: integer({ desc: 'A limit.', min: 1, max: 10, default: 5 }),
  BONUS: creditAmount({ desc: 'A bonus.', example: '1000' }),
  MODE: oneOf(['fast', 'slow'], { desc: 'A mode.', default: 'fast' }),
  ENABLED: flag({ desc: 'A switch.', default: false }),
  ADDRESS: url(['http'], { desc: 'An address.', default: undefined }),
  KEY: jsonObject({ desc: 'A key.', default: undefined }),
  PROXIES: list({ desc: 'Proxies.', default: undefined }),
};

function problemsOf(env: Record<string, string>): Readonly<Record<string, string>> {
  try {
    loadEnv(spec, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return {};
}

describe('the configuration', () => {
  it('is typed values, with defaults where nothing or nothing but an empty string is set', () => {
    const values = loadEnv(spec, { BONUS: '2.5', LIMIT: '', ADDRESS: 'http://peer:80/', PROXIES: 'a, b' });
    expect(values).toEqual({
      LIMIT: 5,
      BONUS: 2_500_000n,
      MODE: 'fast',
      ENABLED: false,
      ADDRESS: 'http://peer:80',
      KEY: undefined,
      PROXIES: ['a', 'b'],
    });
  });

  it('names every variable at fault in one message', () => {
    const problems = problemsOf({ LIMIT: '11', MODE: 'medium', ENABLED: 'yes', ADDRESS: 'ftp://x', PROXIES: 'a,,b' });
    expect(Object.keys(problems).sort()).toEqual(['ADDRESS', 'BONUS', 'ENABLED', 'LIMIT', 'MODE', 'PROXIES']);
    expect(problems['BONUS']).toContain('is missing: A bonus.');
    expect(problems['LIMIT']).toBe('must be a whole number from 1 to 10, got "11"');
    expect(new ConfigError(problems).message).toMatch(/LIMIT: must be[\s\S]*MODE: must be one of fast, slow/);
  });

  it('never repeats what may be a secret', () => {
    const problems = problemsOf({ BONUS: '1', KEY: '{"d":"hunter2"', ADDRESS: 'postgres://u:hunter2@h/d' });
    expect(JSON.stringify(problems)).not.toContain('hunter2');
    expect(Object.keys(problems)).toEqual(['ADDRESS', 'KEY']);
  });

  it('does not depend on NODE_ENV', () => {
    expect(loadEnv(spec, { BONUS: '1', NODE_ENV: 'production' })).toEqual(
      loadEnv(spec, { BONUS: '1', NODE_ENV: 'test' }),
    );
  });

  it('describes itself for the documentation', () => {
    expect(describeEnv(spec)[0]).toEqual({
      name: 'LIMIT',
      description: 'A limit.',
      required: false,
      defaultValue: '5',
    });
    expect(describeEnv(spec)[1]).toEqual({ name: 'BONUS', description: 'A bonus.', required: true, example: '1000' });
    const all = describeEnv({ ...commonEnvSpec, ...databaseEnvSpec('BILLING') });
    expect(all.every(({ description }) => description.length > 0)).toBe(true);
    expect(all.map(({ name }) => name)).toContain('BILLING_DATABASE_URL');
  });
});
