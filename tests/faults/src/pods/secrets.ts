import { recordAt, textAt, type Manifest, type StackState } from '@capability-router/tools-stack';

const prefix = 'capability-router-';
/** A file of the Secret `connections`, which every pod mounts. */
const REDIS_PASSWORD_FILE = 'redis-password';
export const redisPasswordFile = `/etc/capability-router/connections/${REDIS_PASSWORD_FILE}`;

/** Adds to generated Secrets what the table of deploy/README.md says has to be added, and the Secrets that nothing generates. */
export function secretsOn(stack: StackState, generated: readonly Manifest[], redisUrl = stack.redisUrl): Manifest[] {
  const owners: Record<string, string> = {};
  for (const [service, { ownerUrl }] of Object.entries(stack.databases))
    owners[`${variable(service)}_OWNER_URL`] = ownerUrl;
  return [
    ...generated.map((secret) => {
      const added = Object.fromEntries(addedTo(textAt(secret, 'metadata.name').slice(prefix.length), stack, redisUrl));
      return { ...secret, stringData: { ...recordAt(secret, 'stringData'), ...added } };
    }),
    secretOf('migrations', owners),
    secretOf('connections', { [REDIS_PASSWORD_FILE]: new URL(stack.redisUrl).password }),
  ];
}

/** For those who read the password from the file. */
export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const secretOf = (name: string, stringData: Readonly<Record<string, string>>): Manifest => ({
  kind: 'Secret',
  metadata: { name: `${prefix}${name}` },
  stringData,
});

function addedTo(name: string, stack: StackState, redisUrl: string): [string, string][] {
  if (name === 'shared') return [['REDIS_URL', redisUrl]];
  const database = Object.entries(stack.databases).find(([service]) => service === name)?.[1];
  return database === undefined ? [] : [[`${variable(name)}_URL`, database.appUrl]];
}

const variable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_DATABASE`;
