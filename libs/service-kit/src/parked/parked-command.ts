import {
  type EventBatchServerOptions,
  eventHandlersOf,
  listParked,
  replayParked,
  type ReplayResult,
  type SharedSubscription,
} from '@capability-router/event-bus';
import type { DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import { ConfigError } from '../config/load-env.js';

/** The command needs these of a service. */
export interface ParkedStore {
  readonly pool: pg.Pool;
  /** Every event handler of the service, and what they are given. */
  readonly handlers: DynamicModule;
  readonly settings?: NonNullable<EventBatchServerOptions['settings']>;
  /** Before the events of a group are handled again; what its handler reads is loaded here. */
  readonly prepare?: (group: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const usage = 'usage: parked/main.js list | parked/main.js replay GROUP KEY';

/**
 * Shows the events that a service has parked, or handles those of one key again, in order; safe beside the running
 * service. Prints JSON lines. Gives the exit code: 1 where events of the key remain parked, 2 where it could not be done,
 * with the reason on the standard error.
 */
export async function parkedCommand(
  [command, group, key, ...rest]: readonly string[],
  open: () => Promise<ParkedStore>,
): Promise<number> {
  try {
    const isList = command === 'list' && group === undefined;
    const isReplay = command === 'replay' && key !== undefined && rest.length === 0;
    if (!isList && !isReplay) throw new ConfigError({ parked: usage });
    return isList
      ? await withGroups(open, list)
      : await withGroups(open, (groups) => replay(groups, group ?? '', key ?? ''));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/**
 * Handles the parked events of one key again, in order, and ends the store. Safe beside the running service.
 *
 * @throws ConfigError where the service has no such group
 */
export const replayParkedKey = (open: () => Promise<ParkedStore>, group: string, key: string): Promise<ReplayResult> =>
  withGroups(open, (groups) => replayKey(groups, group, key));

interface ParkedGroups extends ParkedStore {
  readonly subscriptions: readonly SharedSubscription[];
}

async function withGroups<T>(open: () => Promise<ParkedStore>, work: (groups: ParkedGroups) => Promise<T>): Promise<T> {
  const store = await open();
  try {
    const { subscriptions, close } = await eventHandlersOf(store.handlers, store);
    const result = await work({ ...store, subscriptions });
    await close();
    return result;
  } finally {
    await store.close();
  }
}

async function list({ pool, subscriptions }: ParkedGroups): Promise<number> {
  for (const { group } of subscriptions) {
    for (const parked of await listParked(pool, group)) print({ group, ...parked });
  }
  return 0;
}

async function replay(groups: ParkedGroups, group: string, key: string): Promise<number> {
  const result = await replayKey(groups, group, key);
  print(result);
  return result.remaining === 0 ? 0 : 1;
}

async function replayKey(
  { pool, subscriptions, prepare }: ParkedGroups,
  group: string,
  key: string,
): Promise<ReplayResult> {
  const subscription = subscriptions.find((candidate) => candidate.group === group);
  if (subscription === undefined) {
    const groups = subscriptions.map((candidate) => candidate.group).join(', ');
    throw new ConfigError({ parked: `there is no group "${group}"; groups: ${groups}` });
  }
  await prepare?.(group);
  return replayParked(pool, subscription, key);
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
