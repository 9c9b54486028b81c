import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createLogger, generateInternalKeys } from '@capability-router/service-kit';
import { loadEnv, redisConnectionOf, redisEnvSpec, type RedisConnection } from '@capability-router/service-kit/config';
import { lookAtRedis, openRedis, redisRights, wrongRedis, type RedisLook } from '@capability-router/service-kit/redis';
import { Authority, type Certificate } from '../test-support/certificates.js';
import { startRedisServer, tlsLines, type RedisServer } from '../test-support/redis-server.js';

const TIMEOUT_MS = 120_000;
const POLL_MS = 20;
const MAX_LOOKS = 5;
const OPERATOR = 'operator';
jest.setTimeout(TIMEOUT_MS);

describe('a Redis as companies have it', () => {
  let folder: string;
  let authority: Authority;
  let otherCaFile: string;
  let server: Certificate;
  let client: Certificate;
  let passwordFile: string;
  let redis: RedisServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capability-router-redis-'));
    authority = new Authority(folder, 'ca');
    otherCaFile = new Authority(folder, 'other-ca').cert;
    server = authority.issue('server');
    client = authority.issue('client');
    passwordFile = join(folder, 'password');
    redis = await startRedisServer({
      folder,
      portSetting: 'tls-port',
      lines: [
        ...tlsLines(server, authority.cert),
        'user default off',
        `user operator on >${OPERATOR} ~* &* +@all`,
        `user router on >first ${redisRights.join(' ')}`,
        'user reader on >first ~* resetchannels -@all +get +ping',
      ],
      admin: { username: 'operator', password: OPERATOR, tls: { ca: readFileSync(authority.cert) } },
    });
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** `password`: what the file holds. */
  const settings = (over: NodeJS.ProcessEnv = {}, password = 'first'): NodeJS.ProcessEnv => {
    writeFileSync(passwordFile, `${password}\n`);
    return {
      REDIS_URL: `rediss://127.0.0.1:${redis.port}/0`,
      REDIS_SSL_CA_FILE: authority.cert,
      REDIS_USERNAME: 'router',
      REDIS_PASSWORD_FILE: passwordFile,
      ...over,
    };
  };
  const connectionOf = (env: NodeJS.ProcessEnv): RedisConnection => {
    const connection = redisConnectionOf(loadEnv(redisEnvSpec, env));
    if (connection === undefined) throw new Error('no Redis is named');
    return connection;
  };
  /** A server that is away, as it seems on a busy machine, is looked at again. */
  const look = async (env: NodeJS.ProcessEnv): Promise<RedisLook> => {
    for (let tries = 1; ; tries += 1) {
      const found = await lookAtRedis(connectionOf(env));
      if (found.state !== 'away' || tries === MAX_LOOKS) return found;
    }
  };
  /** The sentence with which a service refuses to start; empty where it starts. */
  const refusal = async (env: NodeJS.ProcessEnv): Promise<string> =>
    wrongRedis(await look(env), connectionOf(env))?.message ?? '';

  it('lets a client in by TLS and a user of its own, and by a certificate where it asks for one', async () => {
    expect(await look(settings())).toEqual({ state: 'ok' });
    await redis.admin.config('SET', 'tls-auth-clients', 'yes');
    try {
      const mutual = { REDIS_SSL_CERT_FILE: client.cert, REDIS_SSL_KEY_FILE: client.key };
      expect(await look(settings(mutual))).toEqual({ state: 'ok' });
      expect(await refusal(settings())).toMatch(/REDIS_SSL_CA_FILE: no TLS with Redis .*REDIS_SSL_CERT_FILE/);
    } finally {
      await redis.admin.config('SET', 'tls-auth-clients', 'optional');
    }
  });

  it('is reached again with the password that the file holds by then, and a service needs no restart', async () => {
    const connection = connectionOf(settings());
    const own = await openRedis(connection, createLogger('gateway', 'silent'), 'gateway');
    const counts = async (): Promise<boolean> => {
      try {
        await own.eval(`return redis.call('INCR', KEYS[1])`, 1, 'gateway:rate:of a test');
        return true;
      } catch {
        return false;
      }
    };
    const until = async (wanted: boolean): Promise<void> => {
      while ((await counts()) !== wanted) await pause(POLL_MS);
    };
    try {
      await until(true);
      await redis.admin.acl('SETUSER', 'router', 'resetpass', '>second');
      await redis.admin.client('KILL', 'USER', 'router');
      await until(false);
      expect(await counts()).toBe(false);
      writeFileSync(passwordFile, 'second');
      await until(true);
    } finally {
      own.disconnect();
      await redis.admin.acl('SETUSER', 'router', 'resetpass', '>first');
    }
  });

  it('has a user with the rights that the guide says', () => {
    const guide = readFileSync(new URL('../../../../deploy/README.md', import.meta.url), 'utf8');
    expect(guide).toContain(`ACL SETUSER capability-router on >… ${redisRights.join(' ')}\n`);
  });

  it('is refused by the name of the setting, where its certificate is of another CA or has expired', async () => {
    expect(await refusal(settings({ REDIS_SSL_CA_FILE: otherCaFile }))).toMatch(
      /REDIS_SSL_CA_FILE: no TLS with Redis \(.*certificate.*\); give the file of the CA/,
    );
    expect(await refusal(settings({ REDIS_SSL_CA_FILE: undefined }))).toMatch(/REDIS_URL: no TLS with Redis/);
    const expired = authority.issue('expired', { expired: true });
    await redis.admin.config('SET', 'tls-cert-file', expired.cert, 'tls-key-file', expired.key);
    try {
      expect(await refusal(settings())).toMatch(/REDIS_SSL_CA_FILE: .*certificate has expired/);
    } finally {
      await redis.admin.config('SET', 'tls-cert-file', server.cert, 'tls-key-file', server.key);
    }
  });

  it('is refused by the name of the setting, where it does not let the user in, or run scripts', async () => {
    const says = (setting: string) => new RegExp(`${setting}: Redis does not let this client in`);
    expect(await refusal(settings({}, 'wrong'))).toMatch(says('REDIS_PASSWORD_FILE'));
    expect(await refusal(settings({ REDIS_PASSWORD_FILE: undefined, REDIS_PASSWORD: 'wrong' }))).toMatch(
      says('REDIS_PASSWORD'),
    );
    expect(await refusal(settings({ REDIS_USERNAME: 'reader' }))).toMatch(/NOPERM.*right to run scripts/);
    const inUrl = { REDIS_URL: `rediss://router:wrong@127.0.0.1:${redis.port}`, REDIS_SSL_CA_FILE: authority.cert };
    expect(await refusal(inUrl)).toMatch(says('REDIS_URL'));
    const nobody = { REDIS_URL: `rediss://127.0.0.1:${redis.port}`, REDIS_SSL_CA_FILE: authority.cert };
    expect(await refusal(nobody)).toMatch(says('REDIS_PASSWORD_FILE'));
  });

  it('ends a service with one sentence, unless it is only away', async () => {
    const { signingKeys, jwks } = generateInternalKeys();
    const { status, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('../../../../apps/gateway/dist/main.js', import.meta.url))],
      {
        env: {
          PATH: process.env['PATH'],
          PUBLIC_URL: 'http://127.0.0.1:1',
          KAFKA_BROKERS: '127.0.0.1:1',
          INTERNAL_SIGNING_KEY: JSON.stringify(signingKeys.gateway),
          INTERNAL_JWKS: JSON.stringify(jwks),
          ...settings({}, 'wrong'),
        },
        encoding: 'utf8',
        timeout: TIMEOUT_MS,
      },
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/REDIS_PASSWORD_FILE: Redis does not let this client in/),
    });
    expect(await look({ REDIS_URL: 'redis://127.0.0.1:1' })).toEqual({
      state: 'away',
      reason: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});
