import { setTimeout as sleep } from 'node:timers/promises';
import { startServices, type RunningServices, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { ExpectedBooks } from '../accounted-calls/books.js';
import { paidTool } from '../accounted-calls/measure-calls.js';
import { billingUrl } from '../accounted-calls/on-stack.js';
import { openFundedAccounts } from '../accounted-calls/open-accounts.js';
import { LoadGenerator } from '../load/run-load.js';
import { clean } from '../load/rounds.js';
import { machineLine } from '../machine/machine.js';
import { memory } from '../machine/processes.js';
import { withTemporaryStack } from '../stack/temporary-stack.js';
import { stackVersions } from '../stack/versions.js';
import type { CallCost, Growth } from './call-cost.js';
import { checkpoint, databaseSizes, topicBytes, walBetween, walPosition, type DatabaseSize } from './stored-bytes.js';

const ACCOUNTS = 300;
const CONNECTIONS = 16;
/** So that no account meets its limit of 200 calls a minute. */
const CALLS = 4_000;
const WARM_UP_CALLS = 400;
/** Longer than a relay waits before it looks again. */
const RELAYED_MS = 5_000;

/**
 * Measures what a paid call of a built-in tool adds to disks and logs of the real stack, one process of each service; times are not
 * measured here, so that a busy machine gives the same figures.
 */
export function measureCallCost(log: (line: string) => void): Promise<CallCost> {
  return withTemporaryStack(async (stack) => {
    const services = await startServices({ stack, env: { LOG_LEVEL: 'error' }, log });
    const billing = new pg.Pool({ connectionString: billingUrl(stack), max: 2 });
    billing.on('error', () => undefined);
    const load = new LoadGenerator();
    const atRest = async (): Promise<ReturnType<typeof snapshot>> => {
      await sleep(RELAYED_MS);
      return snapshot(stack);
    };
    try {
      const machine = machineLine(await stackVersions(billing));
      const origin = services.gatewayUrls[0] ?? '';
      const empty = await atRest();
      const keys = await openFundedAccounts({ origin, key: services.accounts.admin_key }, ACCOUNTS, billing);
      const books = await ExpectedBooks.openAtRest(billing);
      const call = async (amount: number): Promise<void> => {
        const result = clean(await load.run({ ...paidTool, origin, keys, connections: CONNECTIONS, amount }));
        await books.settled({ paid: result.good, free: 0 }, result.lastAnswerAtMs);
      };
      const opened = await atRest();
      await call(WARM_UP_CALLS);
      await sleep(RELAYED_MS);
      await checkpoint(stack);
      const [before, from] = [await snapshot(stack), await walPosition(stack)];
      await call(CALLS);
      const after = await atRest();
      const to = await walPosition(stack);
      const wal = await walBetween(stack, from, to);
      log(`${CALLS} calls: ${JSON.stringify(wal)}`);
      return {
        measuredOn: new Date().toISOString().slice(0, 10),
        machine,
        calls: CALLS,
        connections: CONNECTIONS,
        accounts: ACCOUNTS,
        perCall: {
          databases: growthOf(before.databases, after.databases, CALLS),
          activeShare: activeShareOf(before.databases, after.databases),
          walRecordBytes: perOne(wal.records, CALLS),
          walPageImageBytes: Math.round(wal.pageImages / CALLS),
          topicBytes: perOne(differenceOf(before.topics, after.topics), CALLS),
        },
        perAccount: {
          databases: growthOf(empty.databases, opened.databases, ACCOUNTS),
          topicBytes: perOne(differenceOf(empty.topics, opened.topics), ACCOUNTS),
        },
        memoryBytes: memoryOf(services),
      };
    } finally {
      await load.stop();
      await billing.end();
      await services.stop();
    }
  });
}

async function snapshot(
  stack: StackState,
): Promise<{ databases: Record<string, DatabaseSize>; topics: Record<string, number> }> {
  return { databases: await databaseSizes(stack), topics: topicBytes(stack) };
}

type Sizes = Readonly<Record<string, DatabaseSize>>;

const growthOf = (before: Sizes, after: Sizes, count: number): Record<string, Growth> =>
  Object.fromEntries(
    Object.entries(after).map(([service, { heapBytes, indexBytes }]) => [
      service,
      {
        heapBytes: Math.round((heapBytes - (before[service]?.heapBytes ?? 0)) / count),
        indexBytes: Math.round((indexBytes - (before[service]?.indexBytes ?? 0)) / count),
      },
    ]),
  );

function activeShareOf(before: Sizes, after: Sizes): Record<string, number> {
  const worked = Object.entries(after).map(
    ([service, { activeMs }]) => [service, activeMs - (before[service]?.activeMs ?? 0)] as const,
  );
  const all = worked.reduce((sum, [, ms]) => sum + ms, 0);
  return Object.fromEntries(worked.map(([service, ms]) => [service, Number((ms / all).toFixed(3))]));
}

const differenceOf = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, bytes]) => [name, bytes - (before[name] ?? 0)]));

/** Rounded; what is nothing is left out. */
const perOne = (bytes: Readonly<Record<string, number>>, count: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(bytes)
      .map(([name, all]) => [name, Math.round(all / count)] as const)
      .filter(([, one]) => one > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const memoryOf = ({ replicas }: RunningServices): Record<string, number> =>
  Object.fromEntries(replicas.map(({ name, process }) => [name, process === undefined ? 0 : memory(process.pid).pss]));
