import type { ConnectionOptions } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import type { RedisLogin, RedisTls } from '../config/redis-env.js';
import type { SettingFile } from '../config/setting-files.js';

/**
 * Lets the client read logins whenever it connects: it reads the members of its options then, and these are getters.
 *
 * @returns `options`
 */
export function following<O extends RedisOptions>(
  options: O,
  logins: { readonly login?: RedisLogin | undefined; readonly sentinelLogin?: RedisLogin | undefined },
): O {
  const { login, sentinelLogin } = logins;
  if (login?.username !== undefined) options.username = login.username;
  if (login !== undefined) defineGetter(options, 'password', login.password);
  if (sentinelLogin?.username !== undefined) options.sentinelUsername = sentinelLogin.username;
  if (sentinelLogin !== undefined) defineGetter(options, 'sentinelPassword', sentinelLogin.password);
  return options;
}

export function tlsOptionsOf(tls: RedisTls): ConnectionOptions {
  const options: ConnectionOptions = {};
  for (const name of ['ca', 'cert', 'key'] as const) {
    const read = tls[name];
    if (read !== undefined) defineGetter(options, name, read);
  }
  return options;
}

/** A file that cannot be read at that moment says what it said last: the client would stay half open for ever. */
function defineGetter(options: object, name: string, read: SettingFile): void {
  let last = read();
  const get = (): string => {
    try {
      last = read();
    } catch {
      // A mounted file is being replaced.
    }
    return last;
  };
  Object.defineProperty(options, name, { get, enumerable: true, configurable: true });
}
