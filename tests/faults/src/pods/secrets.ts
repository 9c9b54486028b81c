import { recordAt, textAt, type Manifest, type StackState } from '@capability-router/tools-stack';

const prefix = 'capability-router-';
/** A file of the Secret `connections`, which every pod mounts. */
const REDIS_PASSWORD_FILE = 'redis-password';
export const redisPasswordFile = `/etc/capability-router/connections/${REDIS_PASSWORD_FILE}`;

/** Adds to a generated Secret what the table of deploy/README.md says has to be added. */
export const secretsOf =
  (stack: StackState) =>
  (secret: Manifest): Manifest => {
    const name = textAt(secret, 'metadata.name').slice(prefix.length);
    const added = Object.fromEntries(addedTo(name, stack));
    return { ...secret, stringData: { ...recordAt(secret, 'stringData'), ...added } };
  };

/** The Secrets that nothing generates: of the Job, and the files of connections. */
export const ownSecrets = (stack: StackState): readonly Manifest[] => [
  secretOf(
    'migrations',
    Object.fromEntries(
      Object.entries(stack.databases).map(([service, { ownerUrl }]) => [`${variable(service)}_OWNER_URL`, ownerUrl]),
    ),
  ),
  secretOf('connections', { [REDIS_PASSWORD_FILE]: new URL(stack.redisUrl).password }),
];

const secretOf = (name: string, stringData: Readonly<Record<string, string>>): Manifest => ({
  kind: 'Secret',
  metadata: { name: `${prefix}${name}` },
  stringData,
});

function addedTo(name: string, stack: StackState): [string, string][] {
  if (name === 'shared') return [['REDIS_URL', withoutPassword(stack.redisUrl)]];
  const database = Object.entries(stack.databases).find(([service]) => service === name)?.[1];
  return database === undefined ? [] : [[`${variable(name)}_URL`, database.appUrl]];
}

function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const variable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_DATABASE`;
