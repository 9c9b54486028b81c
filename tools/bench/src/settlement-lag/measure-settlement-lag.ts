import { checkInvariants } from '@capability-router/billing';
import { appendBatch } from '@capability-router/event-store';
import { systemClock, type AccountId } from '@capability-router/kernel';
import { startServices, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOf, openAccounts, placeHolds, planCalls, startOf } from '../settlement/backlog.js';
import { withTemporaryStack } from '../stack/temporary-stack.js';
import { stackVersions } from '../stack/versions.js';
import { percentile } from '../statistics.js';
import { SettlementWatch } from './settlement-watch.js';

const ACCOUNTS = 400;
/** Calls per second; the first is the baseline. */
const RATES = [50, 500] as const;
const WARM_UP_SECONDS = 5;
const SECONDS = 20;
/** Milliseconds between two groups of calls, whose ends come with the next group. */
const TICK_MS = 20;
const SETTLED_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface LagRow {
  readonly wantedPerSecond: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export interface LagResult {
  readonly rows: readonly LagRow[];
  readonly accounts: number;
  readonly seconds: number;
}

interface Site {
  readonly billing: pg.Pool;
  readonly execution: pg.Pool;
  readonly accounts: readonly AccountId[];
}

/**
 * How long after its end a call is settled, at a steady rate of ends: recorded in execution's event store as execution
 * does, published by its relay through Kafka, settled by billing; all six services run, one process each.
 */
export function measureSettlementLag(
  log: (line: string) => void,
): Promise<{ result: LagResult; versions: readonly string[] }> {
  return withTemporaryStack(async (stack) => {
    const pools = openPools(stack);
    const services = await startServices({ stack, env: { LOG_LEVEL: 'error' }, log });
    try {
      const { billing, execution } = pools;
      const accounts = await openAccounts(pools.identity, ACCOUNTS, systemClock.nowMs());
      await booked(billing, accounts);
      const site = { billing, execution, accounts };
      const rows: LagRow[] = [];
      for (const rate of RATES) {
        await steadyEnds(site, rate, WARM_UP_SECONDS);
        rows.push(await steadyEnds(site, rate, SECONDS));
        const last = rows.at(-1);
        log(`settlement lag at ${rate}/s: p50 ${last?.p50Ms.toFixed(0)} ms, p99 ${last?.p99Ms.toFixed(0)} ms`);
      }
      const violations = await checkInvariants(billing);
      if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations)}`);
      return { result: { rows, accounts: ACCOUNTS, seconds: SECONDS }, versions: await stackVersions(billing) };
    } finally {
      await services.stop();
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    }
  });
}

function openPools({ databases }: StackState): Record<'billing' | 'execution' | 'identity', pg.Pool> {
  const open = (connectionString: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 4 });
    pool.on('error', () => undefined);
    return pool;
  };
  return {
    billing: open(databases.billing.ownerUrl),
    execution: open(databases.execution.ownerUrl),
    identity: open(databases.identity.ownerUrl),
  };
}

async function booked(billing: pg.Pool, accounts: readonly AccountId[]): Promise<void> {
  const deadlineMs = performance.now() + SETTLED_TIMEOUT_MS;
  for (;;) {
    const { rows } = await billing.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM account_balances WHERE account_id = ANY($1)',
      [accounts],
    );
    if (rows[0]?.count === accounts.length) return;
    if (performance.now() > deadlineMs) throw new Error('the accounts were not booked in time');
    await sleep(POLL_MS);
  }
}

async function steadyEnds(site: Site, wantedPerSecond: number, seconds: number): Promise<LagRow> {
  const groupSize = (wantedPerSecond * TICK_MS) / 1_000;
  const calls = planCalls(site.accounts, wantedPerSecond * seconds, systemClock.nowMs());
  await placeHolds(site.billing, calls, systemClock.nowMs());
  const watch = new SettlementWatch(site.billing);
  const startedMs = performance.now();
  let lastEndMs = startedMs;
  for (let index = 0; index <= calls.length; index += groupSize) {
    await sleep(Math.max(0, startedMs + (index / groupSize) * TICK_MS - performance.now()));
    const ending = calls.slice(Math.max(0, index - groupSize), index);
    const nowMs = systemClock.nowMs();
    lastEndMs = performance.now();
    const starting = calls.slice(index, index + groupSize);
    await appendBatch(site.execution, 'execution', [
      ...starting.map((call) => startOf(call, nowMs)),
      ...ending.map((call) => endOf(call, nowMs)),
    ]);
    // From before the end was written, so that its own commit is counted in.
    for (const { executionId } of ending) watch.ended(executionId, lastEndMs);
  }
  const lags = await watch.settled(SETTLED_TIMEOUT_MS);
  if (lags.length !== calls.length) throw new Error(`${lags.length} of ${calls.length} calls were seen settled`);
  return {
    wantedPerSecond,
    perSecond: calls.length / ((lastEndMs - startedMs) / 1_000),
    p50Ms: percentile(lags, 0.5),
    p99Ms: percentile(lags, 0.99),
    mostMs: lags.at(-1) ?? Number.NaN,
  };
}
