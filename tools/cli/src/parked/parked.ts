import { ConfigError, envPrefixOf, replayParkedKey, type ParkedStore } from '@capability-router/service-kit';
import type pg from 'pg';
import type { GlobalOptions } from '../admin-api.js';
import { databasesOf, openReadOnly, reading, type Service } from '../deployment/deployment.js';
import { leavesBehind } from '../interruption.js';
import { table } from '../table.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { findParkedRows, listParkedRows, type ParkedRow } from './parked-events.sql.js';

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface ParkedOptions {
  readonly dataDir?: string;
}

/** The services that handle events, each with what handles them again. Loaded one by one: each is a whole service. */
const stores = {
  billing: () => import('@capability-router/billing/parked'),
  execution: () => import('@capability-router/execution/parked'),
  registry: () => import('@capability-router/registry/parked'),
  'capability-routing': () => import('@capability-router/capability-routing/parked'),
} as const satisfies Partial<
  Record<Service, () => Promise<{ openParkedStore(env: NodeJS.ProcessEnv): Promise<ParkedStore> }>>
>;
type Parking = keyof typeof stores;

/** The services that can have parked events. */
export const parking = Object.keys(stores) as readonly Parking[];

export async function list(options: ParkedOptions, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const rows = await ofEach(options, terminal, listParkedRows);
  if (global.json === true) return terminal.out(JSON.stringify({ items: rows }));
  if (rows.length === 0) return terminal.out('nothing is parked');
  const heads = ['GROUP', 'KEY', 'EVENT', 'TYPE', 'PARKED AT', 'REASON'];
  for (const line of table(heads, rows.map(cellsOf))) terminal.out(line);
  terminal.out('Mend what the reason says, then: caprouter parked replay <group> <key>');
}

const cellsOf = ({ group, key, event_id: id, type, parked_at: at, reason }: ParkedRow): string[] => [
  group,
  key,
  id,
  type,
  at.toISOString(),
  reason.split('\n')[0] ?? '',
];

export async function show(
  eventId: string,
  options: ParkedOptions,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  if (!EVENT_ID.test(eventId)) {
    throw new CommandError(exitCodes.usage, `"${eventId}" is no id of an event`, [
      'Take it from the column EVENT of: caprouter parked list',
    ]);
  }
  const rows = await ofEach(options, terminal, (pool) => findParkedRows(pool, eventId));
  if (rows.length === 0) throw new CommandError(exitCodes.failed, `no event ${eventId} is parked`);
  if (global.json === true) return terminal.out(JSON.stringify({ items: rows }));
  for (const { event, ...row } of rows) {
    const fields = Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : String(value),
    ]);
    for (const line of table(['FIELD', 'VALUE'], fields)) terminal.out(line);
    terminal.out(JSON.stringify(event, null, 2));
  }
}

export async function replay(
  { group, key }: { readonly group: string; readonly key: string },
  options: ParkedOptions,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const service = parking.find((each) => group.startsWith(`${each}.`));
  if (service === undefined) {
    throw new CommandError(exitCodes.usage, `"${group}" is no group of a service that parks events`, [
      `It begins with the name of its service: ${parking.map((each) => `${each}.…`).join(', ')}`,
    ]);
  }
  const databases = await databasesOf(options, [service], terminal);
  const { openParkedStore } = await stores[service]();
  const env = { ...terminal.env, [`${envPrefixOf(service)}_DATABASE_URL`]: databases.get(service) };
  leavesBehind(terminal, 'Events that were handled are done, the others stay parked. Give the same command again.');
  const result = await reading(() => refusing(replayParkedKey(() => openParkedStore(env), group, key)));
  const { replayed, remaining, error } = result;
  if (global.json === true) terminal.out(JSON.stringify({ group, key, ...result }));
  else terminal.out(`${replayed} event(s) of ${key} handled, ${remaining} still parked`);
  if (remaining > 0) {
    throw new CommandError(exitCodes.failed, `events of ${key} failed again: ${error ?? 'see list'}`, [
      'Those before it are done. Mend what the reason says, and give the same command again.',
    ]);
  }
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(exitCodes.usage, Object.values(error.problems).join('; '));
  }
}

/** Asks the database of each service that is named; every session is read-only. */
async function ofEach<T>(
  options: ParkedOptions,
  terminal: Terminal,
  ask: (pool: pg.Pool) => Promise<readonly T[]>,
): Promise<T[]> {
  const databases = await databasesOf(options, parking, terminal, { some: true });
  const rows: T[] = [];
  for (const url of databases.values()) {
    const pool = openReadOnly(url);
    try {
      rows.push(...(await reading(() => ask(pool))));
    } finally {
      await pool.end();
    }
  }
  return rows;
}
