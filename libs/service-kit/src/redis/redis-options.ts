import type { ConnectionOptions } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import type { RedisLogin, RedisTls } from '../config/redis-env.js';
import { keptFile, type SettingFile } from '../config/setting-files.js';

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

/** A client whose options throw stays half open for ever, so a file that cannot be read by then says what it said last. */
function defineGetter(options: object, name: string, read: SettingFile): void {
  const get = keptFile(read);
  get();
  Object.defineProperty(options, name, { get, enumerable: true, configurable: true });
}
