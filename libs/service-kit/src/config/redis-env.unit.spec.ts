import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadEnv } from './load-env.js';
import { redisConnectionOf, redisEnvSpec } from './redis-env.js';

const connectionOf = (env: NodeJS.ProcessEnv) => redisConnectionOf(loadEnv(redisEnvSpec, env));
const problemOf = (env: NodeJS.ProcessEnv): unknown => {
  try {
    return connectionOf(env);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
};

describe('settings of Redis', () => {
  it('name one server with its login, or none', () => {
    expect(connectionOf({})).toBeUndefined();
    const found = connectionOf({ REDIS_URL: 'redis://u:p%40ss@redis/3' });
    expect(found?.place).toEqual({ kind: 'server', addresses: [{ host: 'redis', port: 6379 }], database: 3 });
    expect(found?.tls).toBeUndefined();
    expect([found?.login?.username, found?.login?.password()]).toEqual(['u', 'p@ss']);
    expect(connectionOf({ REDIS_URL: 'rediss://[::1]:1' })).toMatchObject({
      place: { addresses: [{ host: '::1', port: 1 }], database: 0 },
      tls: {},
    });
  });

  it('name sentinels and their master, or nodes of a cluster', () => {
    const addresses = [
      { host: 'a', port: 26_379 },
      { host: '::1', port: 5 },
    ];
    expect(connectionOf({ REDIS_SENTINELS: 'a,[::1]:5', REDIS_SENTINEL_MASTER: 'main' })?.place).toEqual({
      kind: 'sentinels',
      addresses,
      master: 'main',
    });
    expect(connectionOf({ REDIS_CLUSTER_NODES: 'a:26379,[::1]:5' })?.place).toEqual({ kind: 'cluster', addresses });
  });

  it('are refused where they do not go together', () => {
    const REDIS_URL = 'redis://redis';
    expect(problemOf({ REDIS_URL, REDIS_SENTINELS: 'a' })).toEqual({
      REDIS_SENTINELS: 'cannot be set together with REDIS_URL',
    });
    expect(problemOf({ REDIS_PASSWORD: 'p' })).toEqual({
      REDIS_PASSWORD: 'must be set together with REDIS_URL or REDIS_SENTINELS or REDIS_CLUSTER_NODES',
    });
    expect(problemOf({ REDIS_URL: 'redis://:p@redis', REDIS_PASSWORD: 'q' })).toEqual({
      REDIS_PASSWORD: 'cannot be set together with a user or a password in REDIS_URL',
    });
    expect(problemOf({ REDIS_URL, REDIS_PASSWORD: 'p', REDIS_PASSWORD_FILE: 'f' })).toEqual({
      REDIS_PASSWORD: 'cannot be set together with REDIS_PASSWORD_FILE',
    });
    expect(problemOf({ REDIS_URL, REDIS_USERNAME: 'u' })).toEqual({
      REDIS_PASSWORD_FILE: 'or REDIS_PASSWORD must be set together with REDIS_USERNAME',
    });
    expect(problemOf({ REDIS_URL, REDIS_SSL_CERT_FILE: 'f' })).toEqual({
      REDIS_SSL_KEY_FILE: 'must be set together with REDIS_SSL_CERT_FILE',
    });
  });

  it('are refused where they name what is no address, database or file', () => {
    expect(problemOf({ REDIS_SENTINELS: 'a:b' })).toEqual({
      REDIS_SENTINELS: '"a:b" is no address; write it as host:port',
    });
    expect(problemOf({ REDIS_URL: 'redis://redis/first' })).toEqual({
      REDIS_URL: expect.stringMatching(/number of a database/),
    });
    for (const name of ['REDIS_PASSWORD_FILE', 'REDIS_SSL_CA_FILE']) {
      expect(problemOf({ REDIS_URL: 'redis://redis', [name]: '/nowhere' })).toEqual({
        [name]: expect.stringMatching(/ENOENT/),
      });
    }
  });
});
