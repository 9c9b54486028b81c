import { ConfigError } from '../config/load-env.js';
import type { RedisConnection } from '../config/redis-env.js';
import type { RedisLook } from './look-at-redis.js';

/** The fault that no waiting mends, with the setting at fault and the way out; undefined where there is none. */
export function wrongRedis(look: RedisLook, { settings }: RedisConnection): ConfigError | undefined {
  if (look.state === 'ok' || look.state === 'away') return undefined;
  const { state, reason } = look;
  const problem = {
    tls:
      `no TLS with Redis (${reason}); give the file of the CA that signed its certificate by REDIS_SSL_CA_FILE, a certificate of the client's by ` +
      'REDIS_SSL_CERT_FILE where Redis asks for one, have the certificate renewed where it has expired, or name a port that speaks TLS',
    login: `Redis does not let this client in (${reason}); correct it, or give the user this password and the right to run scripts by ACL SETUSER`,
    sentinelLogin: `the sentinels do not let this client in (${reason}); correct it, or give the user this password on the sentinels`,
    place: `leads to something else (${reason}); name one server by REDIS_URL, sentinels by REDIS_SENTINELS and REDIS_SENTINEL_MASTER, a cluster by REDIS_CLUSTER_NODES`,
  } as const;
  return new ConfigError({ [settings[state]]: problem[state] });
}
