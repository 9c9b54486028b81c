import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@capability-router/service-kit';
import { loadEnv, redisConnectionOf, redisEnvSpec, type RedisConnection } from '@capability-router/service-kit/config';
import {
  lookAtRedis,
  openRedis,
  redisRights,
  wrongRedis,
  type RedisClient,
} from '@capability-router/service-kit/redis';
import { freePorts } from '../system/free-ports.js';
import { Authority } from '../test-support/certificates.js';
import { startRedisServer, tlsLines, type RedisServer, type RedisServerOptions } from '../test-support/redis-server.js';

const TIMEOUT_MS = 120_000;
const POLL_MS = 20;
const SLOTS = 16_384;
const KEY = 'gateway:rate:of a test';
const MASTER = 'limits';
/** Milliseconds without a word after which a sentinel takes the master for lost. */
const DOWN_AFTER_MS = 1_000;
const OPERATOR = 'operator';

jest.setTimeout(TIMEOUT_MS);

const connectionOf = (env: NodeJS.ProcessEnv): RedisConnection => {
  const connection = redisConnectionOf(loadEnv(redisEnvSpec, env));
  if (connection === undefined) throw new Error('no Redis is named');
  return connection;
};
/** The count, or undefined while the client cannot count. */
const count = async (client: RedisClient, key: string): Promise<unknown> =>
  client.eval(`return redis.call('INCR', KEYS[1])`, 1, key).catch(() => undefined);
const untilCounted = async (client: RedisClient, key: string): Promise<number> => {
  for (;;) {
    const counted = await count(client, key);
    if (counted !== undefined) return Number(counted);
    await pause(POLL_MS);
  }
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await pause(POLL_MS);
};

/** The sentence with which a service refuses to start. A server that is away, as it seems on a busy machine, is looked at again. */
const refusal = async (env: NodeJS.ProcessEnv): Promise<string> => {
  for (;;) {
    const look = await lookAtRedis(connectionOf(env));
    if (look.state !== 'away') return wrongRedis(look, connectionOf(env))?.message ?? '';
  }
};

let folder: string;
const servers: RedisServer[] = [];
const started = async (options: Omit<RedisServerOptions, 'folder'>): Promise<RedisServer> => {
  const server = await startRedisServer({ folder, ...options });
  servers.push(server);
  return server;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capability-router-redis-'));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('a Redis behind sentinels', () => {
  it('is counted on again when its master is lost, since the client asks the sentinels for the new one', async () => {
    const authority = new Authority(folder, 'ca');
    const tls = tlsLines(authority.issue('server'), authority.cert);
    const operator = `user operator on >${OPERATOR} ~* &* +@all`;
    const secured = [...tls, 'user default off', operator];
    const router = `user router on >secret ${redisRights.join(' ')}`;
    const asOperator = { username: 'operator', password: OPERATOR, tls: { ca: readFileSync(authority.cert) } };
    const start = (lines: readonly string[], sentinel = false): Promise<RedisServer> =>
      started({ lines: [...secured, ...lines], sentinel, portSetting: 'tls-port', admin: asOperator });
    const login = [router, 'masteruser operator', `masterauth ${OPERATOR}`];
    const master = await start(login);
    const replica = await start([...login, `replicaof 127.0.0.1 ${master.port}`, 'repl-diskless-sync-delay 0']);
    await until(async () => (await replica.admin.info('replication')).includes('master_link_status:up'));
    const sentinel = await start(
      [
        `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 1`,
        `sentinel auth-user ${MASTER} operator`,
        `sentinel auth-pass ${MASTER} ${OPERATOR}`,
        `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${MASTER} 5000`,
      ],
      true,
    );
    await until(async () =>
      JSON.stringify(await sentinel.admin.call('SENTINEL', 'REPLICAS', MASTER)).includes(`${replica.port}`),
    );
    const env = {
      REDIS_SENTINELS: `127.0.0.1:1,127.0.0.1:${sentinel.port}`,
      REDIS_SENTINEL_MASTER: MASTER,
      REDIS_SENTINEL_USERNAME: 'operator',
      REDIS_SENTINEL_PASSWORD: OPERATOR,
      REDIS_SSL_CA_FILE: authority.cert,
      REDIS_USERNAME: 'router',
      REDIS_PASSWORD: 'secret',
    };
    expect(await refusal({ ...env, REDIS_SENTINEL_MASTER: 'another' })).toMatch(
      /REDIS_SENTINELS: .*know no master another.*REDIS_SENTINEL_MASTER/,
    );
    expect(await refusal({ ...env, REDIS_SENTINEL_PASSWORD: 'wrong' })).toMatch(
      /REDIS_SENTINEL_PASSWORD: the sentinels do not let this client in/,
    );
    expect(await refusal({ ...env, REDIS_PASSWORD: 'wrong' })).toMatch(/REDIS_PASSWORD: Redis does not let/);
    const client = await openRedis(connectionOf(env), createLogger('gateway', 'silent'), 'gateway');
    try {
      await until(async () => {
        await untilCounted(client, KEY);
        return (await replica.admin.get(KEY)) !== null;
      });
      await master.kill();
      await untilCounted(client, KEY);
      expect(await replica.admin.role()).toEqual(expect.arrayContaining(['master']));
      // The new master goes on from the count that it had as a replica.
      expect(Number(await replica.admin.get(KEY))).toBeGreaterThan(1);
    } finally {
      client.disconnect();
    }
  });
});

describe('a Redis Cluster', () => {
  it('takes scripts on whichever node has their slot, and on the one that they have moved to', async () => {
    const busPorts = await freePorts(2);
    const nodes = await Promise.all(
      busPorts.map((port) =>
        started({
          lines: [
            'cluster-enabled yes',
            `cluster-port ${port}`,
            `cluster-config-file nodes-${port}.conf`,
            `user router on >secret ${redisRights.join(' ')}`,
          ],
        }),
      ),
    );
    const [first, second] = nodes;
    if (first === undefined || second === undefined) throw new Error('two nodes were started');
    await first.admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, SLOTS / 2 - 1);
    await second.admin.call('CLUSTER', 'ADDSLOTSRANGE', SLOTS / 2, SLOTS - 1);
    await first.admin.call('CLUSTER', 'MEET', '127.0.0.1', second.port, busPorts[1] ?? 0);
    for (const node of nodes) {
      await until(async () => {
        const info = await node.admin.cluster('INFO');
        return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
      });
    }
    const env = {
      REDIS_CLUSTER_NODES: `127.0.0.1:1,127.0.0.1:${first.port}`,
      REDIS_USERNAME: 'router',
      REDIS_PASSWORD: 'secret',
    };
    await until(async () => (await lookAtRedis(connectionOf(env))).state === 'ok');
    const client = await openRedis(connectionOf(env), createLogger('gateway', 'silent'), 'gateway');
    try {
      const keys = Array.from({ length: 20 }, (_, index) => `gateway:rate:${index}`);
      for (const key of keys) expect(await untilCounted(client, key)).toBeGreaterThan(0);
      for (const node of nodes) expect(await node.admin.dbsize()).toBeGreaterThan(0);
      const slot = await first.admin.cluster('KEYSLOT', KEY);
      const [from, to] = slot < SLOTS / 2 ? [first, second] : [second, first];
      const id = await to.admin.cluster('MYID');
      for (const node of [to, from]) await node.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', id);
      await untilCounted(client, KEY);
      expect(await to.admin.exists(KEY)).toBe(1);
    } finally {
      client.disconnect();
    }
  });
});
