import { checkInvariants } from '@capability-router/billing';
import { HoldGroups } from '@capability-router/billing/books';
import { creditsFromMicro, newExecutionId, systemClock, type AccountId } from '@capability-router/kernel';
import pg from 'pg';
import { cpuSeconds } from '../machine/processes.js';
import {
  addBacklog,
  drain,
  EXECUTIONS,
  prepareAccounts,
  rate,
  SETTLEMENT,
  type SettlementSite,
} from '../settlement/measure-settlement.js';
import { percentile } from '../statistics.js';

/** Holds on their way at the same time. */
const CONNECTIONS = 32;
const MANY_ACCOUNTS = 10_000;
/** Accounts of one drain of openings. */
const OPENED_AT_ONCE = 5_000;
const INQUIRY_AGE_MS = 3_600_000;
const AMOUNT = creditsFromMicro(1_000n);

export interface HoldsRow {
  readonly accounts: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Executions per second that were settled meanwhile. */
  readonly settledPerSecond: number;
  /** The cost of one hold for the database server, settlement included. */
  readonly postgresCpuMicroseconds: number;
}

export interface HoldsResult {
  readonly rows: readonly HoldsRow[];
  readonly connections: number;
  readonly settled: number;
}

/** Holds as the route places them, one statement and one durable commit each, for as long as a backlog is settled. */
export async function measureHolds(site: SettlementSite, log: (line: string) => void): Promise<HoldsResult> {
  const { rows: settings } = await site.billing.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
  if (settings[0]?.synchronous_commit !== 'on') throw new Error('commits are not durable');
  const settling = await prepareAccounts(site);
  const many: AccountId[] = [];
  while (many.length < MANY_ACCOUNTS) many.push(...(await prepareAccounts(site, OPENED_AT_ONCE)));
  const pool = new pg.Pool({ connectionString: site.job.billingUrl, max: CONNECTIONS });
  pool.on('error', () => undefined);
  try {
    const rows: HoldsRow[] = [];
    for (const accounts of [many.slice(0, 1), many]) {
      await addBacklog(site, settling);
      rows.push(await holdWhileSettling(site, pool, accounts));
      log(`holds over ${accounts.length} account(s): ${rows.at(-1)?.perSecond.toFixed(0)}/s`);
    }
    const violations = await checkInvariants(site.billing);
    if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations)}`);
    return { rows, connections: CONNECTIONS, settled: EXECUTIONS };
  } finally {
    await pool.end();
  }
}

async function holdWhileSettling(
  site: SettlementSite,
  pool: pg.Pool,
  accounts: readonly AccountId[],
): Promise<HoldsRow> {
  const groups = new HoldGroups(pool);
  const state = { running: true };
  const times: number[] = [];
  const client = async (first: number): Promise<void> => {
    for (let i = first; state.running; i += CONNECTIONS) {
      const accountId = accounts[i % accounts.length];
      if (accountId === undefined) throw new RangeError('holds need accounts');
      const startedMs = performance.now();
      const now = new Date();
      const inquireAfter = new Date(now.getTime() + INQUIRY_AGE_MS);
      const billableId = newExecutionId(systemClock.nowMs());
      const hold = { billableId, accountId, amount: AMOUNT, inquireAfter, now };
      const { status } = await groups.place(hold);
      if (status !== 'held') throw new Error(`a hold was answered ${status}`);
      times.push(performance.now() - startedMs);
    }
  };
  const cpuBefore = cpuSeconds(site.postgresPid);
  const startedMs = performance.now();
  const clients = Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => client(index)));
  // Whoever awaits it below is told.
  clients.catch(() => undefined);
  const settled = await drain(site, { [SETTLEMENT]: 2 * EXECUTIONS });
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpu = cpuSeconds(site.postgresPid) - cpuBefore;
  const holds = times.length;
  state.running = false;
  await clients;
  const sorted = times.sort((a, b) => a - b);
  return {
    accounts: accounts.length,
    perSecond: holds / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    settledPerSecond: rate(settled),
    postgresCpuMicroseconds: (cpu / holds) * 1_000_000,
  };
}
