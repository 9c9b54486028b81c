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

/** The machine beside the books: with the data folder of a standalone, or with the settings that the services have. */
export function booksOf({
  variables,
  ...machine
}: GuideMachine): GuideMachine & { readonly given: Record<string, string> } {
  const settings = Object.entries(process.env).filter((entry): entry is [string, string] =>
    /^([A-Z_]+_DATABASE_URL|KAFKA_[A-Z_]+)$/.test(entry[0]),
  );
  const dataDir = process.env['ACCEPTANCE_DATA_DIR'] ?? '';
  const given: Record<string, string> = dataDir === '' ? {} : { data: dataDir };
  return { ...machine, variables: { ...variables, ...Object.fromEntries(settings) }, given };
}
