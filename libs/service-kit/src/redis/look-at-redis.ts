import { isTlsError } from '@capability-router/event-bus';
import { Redis } from 'ioredis';
import type { RedisAddress, RedisConnection, RedisLogin, RedisTls } from '../config/redis-env.js';
import { following, tlsOptionsOf } from './redis-options.js';
import { tlsRefusal } from './tls-refusal.js';

/** Milliseconds to connect, and then for an answer. */
const LOOK_TIMEOUT_MS = 5_000;
/** Codes of the server for a user whom it does not know, or who may not do what is asked. */
const loginCode = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)\b/;

/** The outcome of one look; `reason` in the words of the client or of the server. */
export type RedisLook =
  | { readonly state: 'ok' }
  /** Waiting may mend it. */
  | { readonly state: 'away'; readonly reason: string }
  /** No waiting mends these: the certificate, the user, the user of the sentinels, or what is found there. */
  | { readonly state: 'tls' | 'login' | 'sentinelLogin' | 'place'; readonly reason: string };

const OK: RedisLook = { state: 'ok' };

/** Looks once, at the first address that answers. The user must be allowed to run scripts. */
export async function lookAtRedis({ place, login, tls }: RedisConnection): Promise<RedisLook> {
  const runScript = async (redis: Redis): Promise<RedisLook> => {
    await redis.eval(`return redis.call('PING')`, 0);
    return OK;
  };
  if (place.kind === 'server') {
    return ask({ address: place.addresses[0], database: place.database, login, tls }, runScript);
  }
  if (place.kind === 'cluster') {
    return firstAnswer(place.addresses, (address) =>
      ask({ address, login, tls }, async (redis) => {
        const info = await redis.cluster('INFO');
        if (!info.includes('cluster_state:ok')) return { state: 'away', reason: 'the state of the cluster is not ok' };
        return runScript(redis);
      }),
    );
  }
  return firstAnswer(place.addresses, async (sentinel) => {
    let master: RedisAddress | undefined;
    const answer = await ask({ address: sentinel, login: place.login, tls }, async (redis) => {
      const found = await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', place.master);
      const [host, port] = Array.isArray(found) ? (found as readonly unknown[]) : [];
      if (typeof host !== 'string') return { state: 'place', reason: `they know no master ${place.master}` };
      master = { host, port: Number(port) };
      return OK;
    });
    if (answer.state === 'login') return { ...answer, state: 'sentinelLogin' };
    return master === undefined ? answer : ask({ address: master, login, tls }, runScript);
  });
}

async function firstAnswer(
  addresses: readonly RedisAddress[],
  look: (address: RedisAddress) => Promise<RedisLook>,
): Promise<RedisLook> {
  let last: RedisLook = { state: 'away', reason: 'there is no address' };
  for (const address of addresses) {
    last = await look(address);
    if (last.state !== 'away') return last;
  }
  return last;
}

interface Place {
  readonly address: RedisAddress;
  readonly database?: number;
  readonly login?: RedisLogin | undefined;
  readonly tls?: RedisTls | undefined;
}

async function ask(
  { address, database = 0, login, tls }: Place,
  question: (redis: Redis) => Promise<RedisLook>,
): Promise<RedisLook> {
  const refused = tls === undefined ? undefined : await tlsRefusal(address, tls, LOOK_TIMEOUT_MS);
  if (refused !== undefined) return refusalOf(refused, address);
  const redis = new Redis({
    ...address,
    db: database,
    connectTimeout: LOOK_TIMEOUT_MS,
    commandTimeout: LOOK_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    enableReadyCheck: false,
    disableClientInfo: true,
    lazyConnect: true,
    ...(tls === undefined ? {} : { tls: tlsOptionsOf(tls) }),
  });
  following(redis.options, { login });
  let first: Error | undefined;
  redis.on('error', (error: Error) => {
    first ??= error;
  });
  try {
    await redis.connect();
    const found = await question(redis);
    return first === undefined ? found : refusalOf(first, address);
  } catch (error) {
    return refusalOf(first ?? (error as Error), address);
  } finally {
    redis.disconnect();
  }
}

function refusalOf(error: Error, { host, port }: RedisAddress): RedisLook {
  const reason = `${host}:${port}: ${error.message.trim()}`;
  if ('code' in error && isTlsError(error)) return { state: 'tls', reason };
  if (error.name !== 'ReplyError') return { state: 'away', reason };
  if (loginCode.test(error.message)) return { state: 'login', reason };
  // It loads its data, or has lost its master: `LOADING`, `MASTERDOWN`, `CLUSTERDOWN`, `BUSY`.
  return { state: error.message.startsWith('ERR') ? 'place' : 'away', reason };
}
