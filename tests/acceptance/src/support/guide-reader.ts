import { randomUUID } from 'node:crypto';
import type { TestAccount } from './accounts.js';
import { adminKey, nextOrigin } from './environment.js';
import { freePort } from './free-port.js';
import type { GuideMachine } from './guide.js';

/** The variables that the README gives to a reader of the guides, and `ACCOUNT`, on a machine with these programs. */
export function machineOf({ key, accountId }: TestAccount, programs: readonly string[] = []): GuideMachine {
  const origin = nextOrigin();
  const given = { BASE: `${origin}/api/v1`, ORIGIN: origin, API_KEY: key, ADMIN_KEY: adminKey };
  return { variables: { ...given, ACCOUNT: accountId }, programs: ['curl', 'node', ...programs] };
}

/** The guide as somebody would follow it who gives things names of their own: other tests use the same catalogue. */
export function withOwnNames(guide: string, ...names: readonly string[]): string {
  const own = randomUUID().slice(0, 8);
  return names.reduce((text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}${own}`), guide);
}

/** The guide on a machine where something else listens on its ports. */
export async function withFreePorts(guide: string, ...ports: readonly number[]): Promise<string> {
  let text = guide;
  for (const port of ports) text = text.replaceAll(String(port), String(await freePort()));
  return text;
}
