import {
  type EventBatchServerOptions,
  eventHandlersOf,
  listParked,
  replayParked,
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
    const store = await open();
    try {
      const { subscriptions, close } = await eventHandlersOf(store.handlers, store);
      const groups = { ...store, subscriptions };
      const code = isList ? await list(groups) : await replay(groups, group ?? '', key ?? '');
      await close();
      return code;
    } finally {
      await store.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

interface ParkedGroups extends ParkedStore {
  readonly subscriptions: readonly SharedSubscription[];
}

async function list({ pool, subscriptions }: ParkedGroups): Promise<number> {
  for (const { group } of subscriptions) {
    for (const parked of await listParked(pool, group)) print({ group, ...parked });
  }
  return 0;
}

async function replay({ pool, subscriptions, prepare }: ParkedGroups, group: string, key: string): Promise<number> {
  const subscription = subscriptions.find((candidate) => candidate.group === group);
  if (subscription === undefined) {
    const groups = subscriptions.map((candidate) => candidate.group).join(', ');
    throw new ConfigError({ parked: `there is no group "${group}"; groups: ${groups}` });
  }
  await prepare?.(group);
  const result = await replayParked(pool, subscription, key);
  print(result);
  return result.remaining === 0 ? 0 : 1;
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
