import { ConfigError, type EnvValues } from './load-env.js';
import { certificateFile, settingFile, type SettingFile } from './setting-files.js';
import { flag, list, text, url } from './validators.js';

const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26_379;

/** Variables of everything that reaches Redis: services and the command line. */
export const redisEnvSpec = {
  REDIS_URL: url(['redis', 'rediss'], {
    desc: 'Redis for what all replicas share: rate limits, and results of tools that may be kept. `rediss:` asks for TLS. Without it, REDIS_SENTINELS and REDIS_CLUSTER_NODES each process keeps its own.',
    default: undefined,
    example: 'redis://redis:6379/0',
  }),
  REDIS_SENTINELS: list({
    desc: 'Sentinels that know the master, comma-separated, instead of REDIS_URL.',
    default: undefined,
    example: 'sentinel-0:26379,sentinel-1:26379,sentinel-2:26379',
  }),
  REDIS_SENTINEL_MASTER: text({ desc: 'Name under which the sentinels know the master.', default: 'mymaster' }),
  REDIS_SENTINEL_USERNAME: text({ desc: 'User of the sentinels, where they ask for one.', default: undefined }),
  REDIS_SENTINEL_PASSWORD: text({ desc: 'Password of the sentinels, where they ask for one.', default: undefined }),
  REDIS_SENTINEL_PASSWORD_FILE: text({
    desc: 'File of that password, instead of REDIS_SENTINEL_PASSWORD.',
    default: undefined,
    example: '/etc/redis/sentinel-password',
  }),
  REDIS_CLUSTER_NODES: list({
    desc: 'Nodes of a Redis Cluster, comma-separated, instead of REDIS_URL; the others are learned from them.',
    default: undefined,
    example: 'redis-0:6379,redis-1:6379,redis-2:6379',
  }),
  REDIS_SSL_ENABLED: flag({
    desc: 'Connections to Redis and its sentinels use TLS; so they do where REDIS_SSL_CA_FILE or REDIS_SSL_CERT_FILE is set, or REDIS_URL begins with `rediss:`.',
    default: false,
  }),
  REDIS_SSL_CA_FILE: text({
    desc: 'PEM file of the CAs that sign the certificates of Redis. Without it, those that Node knows. This file and the others are read again with each connection.',
    default: undefined,
    example: '/etc/redis/ca.crt',
  }),
  REDIS_SSL_CERT_FILE: text({
    desc: 'PEM file of the certificate by which Redis knows this client.',
    default: undefined,
    example: '/etc/redis/user.crt',
  }),
  REDIS_SSL_KEY_FILE: text({
    desc: 'PEM file of the key of that certificate.',
    default: undefined,
    example: '/etc/redis/user.key',
  }),
  REDIS_USERNAME: text({
    desc: 'User of the access control list. Without it, the default one.',
    default: undefined,
    example: 'capability-router',
  }),
  REDIS_PASSWORD: text({ desc: 'Password of that user.', default: undefined }),
  REDIS_PASSWORD_FILE: text({
    desc: 'File of that password, instead of REDIS_PASSWORD.',
    default: undefined,
    example: '/etc/redis/password',
  }),
};

export type RedisConfig = EnvValues<typeof redisEnvSpec>;

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

export interface RedisLogin {
  readonly username?: string;
  readonly password: SettingFile;
}

export interface RedisTls {
  readonly ca?: SettingFile;
  readonly cert?: SettingFile;
  readonly key?: SettingFile;
}

/** Where Redis is. `addresses` has one of a server, several of sentinels or of a cluster. */
export type RedisPlace =
  | { readonly kind: 'server'; readonly addresses: readonly [RedisAddress]; readonly database: number }
  | {
      readonly kind: 'sentinels';
      readonly addresses: readonly RedisAddress[];
      readonly master: string;
      readonly login?: RedisLogin;
    }
  | { readonly kind: 'cluster'; readonly addresses: readonly RedisAddress[] };

/** How Redis is reached. Names no client. */
export interface RedisConnection {
  readonly place: RedisPlace;
  readonly login?: RedisLogin;
  readonly tls?: RedisTls;
  /** The variables to name where something is wrong with one of these. */
  readonly settings: Readonly<Record<'place' | 'login' | 'sentinelLogin' | 'tls', string>>;
}

/**
 * Undefined where no Redis is named.
 *
 * @throws ConfigError where settings do not go together, or name a file that is of no use
 */
export function redisConnectionOf(values: RedisConfig): RedisConnection | undefined {
  const found = placeOf(values);
  if (found === undefined) return refuseStray(values);
  const { place, setting, inUrl } = found;
  const login = inUrl ?? loginOf(values, 'REDIS');
  const tls = tlsOf(values);
  return {
    place,
    ...(login === undefined ? {} : { login }),
    ...(tls === undefined ? {} : { tls }),
    settings: {
      place: setting,
      login: inUrl === undefined ? passwordSettingOf(values, 'REDIS') : 'REDIS_URL',
      sentinelLogin: passwordSettingOf(values, 'REDIS_SENTINEL'),
      tls:
        values.REDIS_SSL_CA_FILE === undefined
          ? values.REDIS_SSL_ENABLED
            ? 'REDIS_SSL_ENABLED'
            : setting
          : 'REDIS_SSL_CA_FILE',
    },
  };
}

const places = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'] as const;

interface FoundPlace {
  readonly place: RedisPlace;
  readonly setting: (typeof places)[number];
  readonly inUrl?: RedisLogin;
}

function placeOf(values: RedisConfig): FoundPlace | undefined {
  const [setting, other] = places.filter((name) => values[name] !== undefined);
  if (setting === undefined) return undefined;
  if (other !== undefined) throw new ConfigError({ [other]: `cannot be set together with ${setting}` });
  const { REDIS_URL: href, REDIS_SENTINELS: sentinels, REDIS_CLUSTER_NODES: nodes } = values;
  if (href !== undefined) return { ...serverOf(href, values), setting };
  if (nodes !== undefined) {
    return { place: { kind: 'cluster', addresses: addressesOf(setting, nodes, DEFAULT_PORT) }, setting };
  }
  const login = loginOf(values, 'REDIS_SENTINEL');
  const addresses = addressesOf(setting, sentinels ?? [], DEFAULT_SENTINEL_PORT);
  const master = values.REDIS_SENTINEL_MASTER;
  return { place: { kind: 'sentinels', addresses, master, ...(login === undefined ? {} : { login }) }, setting };
}

function serverOf(href: string, values: RedisConfig): Pick<FoundPlace, 'place' | 'inUrl'> {
  const { hostname, port, pathname, username, password } = new URL(href);
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  if (database === undefined) {
    throw new ConfigError({ REDIS_URL: 'must end with the number of a database, as in redis://redis:6379/0' });
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const address = { host, port: port === '' ? DEFAULT_PORT : Number(port) };
  const place = { kind: 'server', addresses: [address], database: Number(database) } as const;
  if (password === '' && username === '') return { place };
  const twice = (['REDIS_USERNAME', 'REDIS_PASSWORD', 'REDIS_PASSWORD_FILE'] as const).find(
    (name) => values[name] !== undefined,
  );
  if (twice !== undefined) {
    throw new ConfigError({ [twice]: 'cannot be set together with a user or a password in REDIS_URL' });
  }
  const secret = decodeURIComponent(password);
  const user = username === '' ? {} : { username: decodeURIComponent(username) };
  return { place, inUrl: { ...user, password: () => secret } };
}

/** `host`, `host:port` or `[IPv6]:port`. */
const addressPattern = /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::(\d{1,5}))?$/i;

const addressesOf = (setting: string, entries: readonly string[], defaultPort: number): RedisAddress[] =>
  entries.map((entry) => {
    const [, inBrackets, plain, port] = addressPattern.exec(entry) ?? [];
    const host = inBrackets ?? plain;
    if (host === undefined) throw new ConfigError({ [setting]: `"${entry}" is no address; write it as host:port` });
    return { host, port: port === undefined ? defaultPort : Number(port) };
  });

function loginOf(values: RedisConfig, prefix: 'REDIS' | 'REDIS_SENTINEL'): RedisLogin | undefined {
  const username = values[`${prefix}_USERNAME`];
  const value = values[`${prefix}_PASSWORD`];
  const path = values[`${prefix}_PASSWORD_FILE`];
  if (value !== undefined && path !== undefined) {
    throw new ConfigError({ [`${prefix}_PASSWORD`]: `cannot be set together with ${prefix}_PASSWORD_FILE` });
  }
  if (value === undefined && path === undefined) {
    if (username === undefined) return undefined;
    throw new ConfigError({
      [`${prefix}_PASSWORD_FILE`]: `or ${prefix}_PASSWORD must be set together with ${prefix}_USERNAME`,
    });
  }
  const password = path === undefined ? () => value ?? '' : settingFile(`${prefix}_PASSWORD_FILE`, path);
  return { ...(username === undefined ? {} : { username }), password };
}

/** The one to set, where none is. */
const passwordSettingOf = (values: RedisConfig, prefix: 'REDIS' | 'REDIS_SENTINEL'): string =>
  values[`${prefix}_PASSWORD`] === undefined ? `${prefix}_PASSWORD_FILE` : `${prefix}_PASSWORD`;

function tlsOf(values: RedisConfig): RedisTls | undefined {
  const { REDIS_SSL_ENABLED: on, REDIS_SSL_CA_FILE: ca, REDIS_SSL_CERT_FILE: cert, REDIS_SSL_KEY_FILE: key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    const [missing, given] = cert === undefined ? ['CERT', 'KEY'] : ['KEY', 'CERT'];
    throw new ConfigError({ [`REDIS_SSL_${missing}_FILE`]: `must be set together with REDIS_SSL_${given}_FILE` });
  }
  const byUrl = values.REDIS_URL?.startsWith('rediss:') === true;
  if (!on && !byUrl && ca === undefined && cert === undefined) return undefined;
  return {
    ...(ca === undefined ? {} : { ca: certificateFile('REDIS_SSL_CA_FILE', ca) }),
    ...(cert === undefined ? {} : { cert: certificateFile('REDIS_SSL_CERT_FILE', cert) }),
    ...(key === undefined ? {} : { key: settingFile('REDIS_SSL_KEY_FILE', key) }),
  };
}

/** A password or a file beside no Redis is a Redis that somebody meant to name. */
function refuseStray(values: RedisConfig): undefined {
  const stray = Object.entries(redisEnvSpec).find(
    ([name, spec]) => values[name as keyof RedisConfig] !== ('default' in spec ? spec.default : undefined),
  );
  if (stray === undefined) return undefined;
  throw new ConfigError({ [stray[0]]: `must be set together with ${places.join(' or ')}` });
}
