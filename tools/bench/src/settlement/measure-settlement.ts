import { checkInvariants } from '@capability-router/billing';
import { systemClock, type AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import { Child } from '../child.js';
import { cpuSeconds } from '../machine/processes.js';
import { medianOf } from '../statistics.js';
import { benchProgram } from '../workspace.js';
import { openAccounts, placeHolds, planCalls, recordCalls } from './backlog.js';
import { plainInsertsPerSecond } from './plain-insert.js';
import type { BatchHandled, SettlerJob } from './settler-job.js';

const ACCOUNTS = 400;
/** Executions of one round; each is two events. */
export const EXECUTIONS = 40_000;
const ROUNDS = 3;
const START_TIMEOUT_MS = 60_000;
const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

export const SETTLEMENT = 'billing.settlement';
export const AUDIT = 'billing.usage-audit';

/** Where the measurement takes place. */
export interface SettlementSite {
  /** Database of billing, as its owner. */
  readonly billing: pg.Pool;
  /** Database whose event store plays identity and execution. */
  readonly feeder: pg.Pool;
  readonly job: Omit<SettlerJob, 'groups'>;
  /** Processes of billing that share the work. */
  readonly processes: number;
  /** Process id of the database server. */
  readonly postgresPid: number;
  /** Has everything in the feeder's outbox published, where there is a broker. */
  publish(): Promise<void>;
}

export interface SettlementRow {
  readonly what: string;
  /** Executions per second. */
  readonly perSecond: number;
  readonly billingCpuMicroseconds: number;
  readonly postgresCpuMicroseconds: number;
}

export interface SettlementResult {
  readonly rows: readonly SettlementRow[];
  readonly plainInsertsPerSecond: number;
  readonly accounts: number;
  readonly executions: number;
  readonly rounds: number;
}

interface Drain {
  readonly seconds: number;
  readonly share: number;
  readonly billingCpu: number;
  readonly postgresCpu: number;
}

/** Settles full backlogs with the consumers of billing: without the usage audit, then with it. */
export async function measureSettlement(site: SettlementSite, log: (line: string) => void): Promise<SettlementResult> {
  const accounts = await prepareAccounts(site);
  const alone: Drain[] = [];
  const audit: Drain[] = [];
  const together: Drain[] = [];
  const baselines: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await addBacklog(site, accounts);
    alone.push(await drain(site, { [SETTLEMENT]: 2 * EXECUTIONS }));
    audit.push(await drain(site, { [AUDIT]: 3 * EXECUTIONS }));
    await addBacklog(site, accounts);
    together.push(await drain(site, { [SETTLEMENT]: 2 * EXECUTIONS, [AUDIT]: 3 * EXECUTIONS }));
    baselines.push(await plainInsertsPerSecond(site.billing, EXECUTIONS));
    const rates = [alone, audit, together].map((drains) => rate(drains.at(-1)).toFixed(0));
    log(
      `settlement: ${rates[0]}/s alone, audit ${rates[1]}/s alone, ${rates[2]}/s together, plain ${baselines.at(-1)?.toFixed(0)} rows/s`,
    );
  }
  await verify(site, 2 * ROUNDS * EXECUTIONS);
  return {
    rows: [
      row('settlement alone (holds, ledger, settlements)', alone),
      row('usage audit alone', audit),
      row('settlement and usage audit at the same time', together),
    ],
    plainInsertsPerSecond: medianOf(baselines, (value) => value),
    accounts: ACCOUNTS,
    executions: EXECUTIONS,
    rounds: ROUNDS,
  };
}

export const rate = (drain: Drain | undefined): number =>
  drain === undefined ? 0 : (EXECUTIONS * drain.share) / drain.seconds;

const row = (what: string, drains: readonly Drain[]): SettlementRow => ({
  what,
  perSecond: medianOf(drains, rate),
  billingCpuMicroseconds: medianOf(drains, ({ billingCpu }) => (billingCpu / EXECUTIONS) * 1_000_000),
  postgresCpuMicroseconds: medianOf(drains, ({ postgresCpu }) => (postgresCpu / EXECUTIONS) * 1_000_000),
});

export async function prepareAccounts(site: SettlementSite, count = ACCOUNTS): Promise<AccountId[]> {
  const accounts = await openAccounts(site.feeder, count, systemClock.nowMs());
  await site.publish();
  await drain(site, { 'billing.accounts': count });
  return accounts;
}

export async function addBacklog(site: SettlementSite, accounts: readonly AccountId[]): Promise<void> {
  const nowMs = systemClock.nowMs();
  const calls = planCalls(accounts, EXECUTIONS, nowMs);
  await placeHolds(site.billing, calls, nowMs);
  await recordCalls(site.feeder, calls, nowMs);
  await site.publish();
  await site.billing.query('VACUUM ANALYZE');
  await site.feeder.query('VACUUM ANALYZE');
}

/**
 * Runs billing until each group has handled its events. Timed from the end of the first batch to the end of the last,
 * so that starting and joining a group do not count; `share` is the part of the work that was done in that time.
 */
export async function drain(site: SettlementSite, expected: Readonly<Record<string, number>>): Promise<Drain> {
  const groups = Object.keys(expected);
  const settlers = Array.from(
    { length: site.processes },
    () => new Child('billing', benchProgram('settlement/settler-process.js')),
  );
  try {
    for (const settler of settlers) settler.send({ ...site.job, groups });
    for (const settler of settlers) await settler.receive<BatchHandled>(START_TIMEOUT_MS);
    const cpuBefore = settlers.map((settler) => cpuSeconds(settler.pid));
    const postgresBefore = cpuSeconds(site.postgresPid);
    const batches: BatchHandled[] = [];
    const left = new Map(Object.entries(expected));
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    while ([...left.values()].some((events) => events > 0)) {
      if (performance.now() > deadlineMs) throw new Error(`billing left ${JSON.stringify([...left])} of its backlog`);
      for (const settler of settlers) {
        for (const batch of await settler.receiveAll<BatchHandled>(POLL_MS)) {
          batches.push(batch);
          left.set(batch.group, (left.get(batch.group) ?? 0) - batch.events);
        }
      }
    }
    const times = batches.map(({ atMs }) => atMs).sort((a, b) => a - b);
    const [first = 0] = times;
    const total = batches.reduce((count, { events }) => count + events, 0);
    const early = batches.filter(({ atMs }) => atMs === first).reduce((count, { events }) => count + events, 0);
    return {
      seconds: ((times.at(-1) ?? 0) - first) / 1_000,
      share: (total - early) / total,
      billingCpu: settlers.reduce((cpu, settler, i) => cpu + cpuSeconds(settler.pid) - (cpuBefore[i] ?? 0), 0),
      postgresCpu: cpuSeconds(site.postgresPid) - postgresBefore,
    };
  } finally {
    await Promise.all(settlers.map((settler) => settler.stop()));
  }
}

/** A figure counts only if the money is right. */
async function verify(site: SettlementSite, executions: number): Promise<void> {
  const violations = await checkInvariants(site.billing);
  const { rows } = await site.billing.query<{ charged: number; audited: number }>(
    `SELECT (SELECT count(*) FROM ledger_entries WHERE entry_type = 'consume_tool_execute')::int AS charged,
            (SELECT count(*) FROM usage_events WHERE recorded AND settlement_status = 'settled')::int AS audited`,
  );
  const [counts] = rows;
  if (violations.length > 0 || counts?.charged !== executions || counts.audited !== executions) {
    throw new Error(`the books are wrong: ${JSON.stringify({ violations, counts, executions })}`);
  }
}
