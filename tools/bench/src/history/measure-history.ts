import { rebuildUsageAudit } from '@capability-router/billing/books';
import type pg from 'pg';
import { percentile } from '../statistics.js';
import { withEmbeddedSite } from '../settlement/embedded-site.js';
import {
  addBacklog,
  AUDIT,
  drain,
  EXECUTIONS,
  prepareAccounts,
  rate,
  SETTLEMENT,
  type SettlementSite,
} from '../settlement/measure-settlement.js';
import { generateHistory, type HistoryAccount } from './generate-history.js';
import { Reader, type Export, type Timed } from './reader.js';
import { REBUILT_EVENTS, SMALL_ROWS } from './sizes.js';

/** Requests of each kind; the first few, which find nothing cached, count too. */
const READS = 100;
/** Pages of 500 that are walked to a deep one. */
const DEEP_PAGES = 200;
/** Tries of a page on the way to the deep one while it is answered 5xx. */
const MAX_TRIES = 20;
const SUMMARY_DAYS = 30;
const DAY_MS = 86_400_000;

export interface Read {
  readonly what: string;
  readonly accountRows: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Share of answers that were 503, because they would have taken too long, or another 5xx. */
  readonly refused: number;
}

export interface SizeResult {
  readonly rows: number;
  readonly reads: readonly Read[];
  readonly exports: readonly (Export & { readonly what: string })[];
  /** Executions per second. */
  readonly settlement: number;
  readonly audit: number;
  /** The size of the database of billing. */
  readonly bytes: number;
}

export interface HistoryResult {
  readonly small: SizeResult;
  readonly large: SizeResult;
  readonly rebuild: {
    readonly events: number;
    readonly perSecond: number;
    readonly smallEvents: number;
    readonly smallPerSecond: number;
    /** Longest transaction that was seen, milliseconds. */
    readonly longestTransactionMs: number;
  };
}

/** The same reads, settlements and rebuilds over a short history and over a long one, each on a server of its own. */
export async function measureHistory(
  rows: number,
  log: (line: string) => void,
): Promise<{ readonly result: HistoryResult; readonly versions: string[] }> {
  let versions: string[] = [];
  const at = (size: number): Promise<SizeResult> =>
    withEmbeddedSite((site, version) => {
      versions = [version];
      return measureSize(site, size, log);
    });
  const small = await at(SMALL_ROWS);
  const smallRebuild = await withEmbeddedSite((site) => measureRebuild(site.billing, SMALL_ROWS, log));
  const events = Math.min(rows, REBUILT_EVENTS);
  const rebuilt = await withEmbeddedSite((site) => measureRebuild(site.billing, events, log));
  const large = await at(rows);
  const rebuild = {
    events,
    perSecond: rebuilt.perSecond,
    smallEvents: SMALL_ROWS,
    smallPerSecond: smallRebuild.perSecond,
    longestTransactionMs: rebuilt.longestTransactionMs,
  };
  return { result: { small, large, rebuild }, versions };
}

async function measureSize(site: SettlementSite, rows: number, log: (line: string) => void): Promise<SizeResult> {
  const owner = site.billing;
  const startedMs = performance.now();
  const accounts = await generateHistory(owner, { rows, log });
  const size = await owner.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  log(`history of ${rows} rows in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  const reader = await Reader.start({ billingUrl: site.job.billingUrl });
  const reads: Read[] = [];
  const exports: SizeResult['exports'][number][] = [];
  try {
    for (const account of accounts) {
      reads.push(...(await readsOf(reader, account)));
      log(
        reads
          .slice(-READ_KINDS)
          .map((read) => `${read.what} ${read.p95Ms.toFixed(1)} ms`)
          .join(', '),
      );
    }
    const { accountId } = accounts.at(-1) ?? { accountId: '' };
    for (const [what, path] of [
      ['usage', '/auth/usage/history/v2/export'],
      ['ledger', '/auth/credits/ledger/export'],
    ] as const) {
      exports.push({ what, ...(await reader.export(accountId, path)) });
    }
  } finally {
    await reader.stop();
  }
  const [settlement, audit] = await settle(site);
  log(`settlement ${settlement.toFixed(0)}/s, audit ${audit.toFixed(0)}/s over ${rows} rows`);
  return { rows, reads, exports, settlement, audit, bytes: Number(size.rows[0]?.bytes ?? 0) };
}

async function settle(site: SettlementSite): Promise<[number, number]> {
  const accounts = await prepareAccounts(site);
  await addBacklog(site, accounts);
  const settlement = await drain(site, { [SETTLEMENT]: 2 * EXECUTIONS });
  const audit = await drain(site, { [AUDIT]: 3 * EXECUTIONS });
  return [rate(settlement), rate(audit)];
}

/** Kinds of reads of one account. */
const READ_KINDS = 8;

async function readsOf(reader: Reader, { accountId, rows }: HistoryAccount): Promise<Read[]> {
  const feed = '/auth/usage/history/v2/summary?page_size=100';
  const settled = '/auth/account/settlement-history?page_size=100';
  const since = new Date(Date.now() - SUMMARY_DAYS * DAY_MS).toISOString();
  const usage = '/auth/usage/history/v2';
  const ledger = '/auth/credits/ledger';
  const reads: readonly (readonly [string, string])[] = [
    ['usage, first page by cursor', feed],
    ['usage, deep page by cursor', await deep(reader, accountId, '/auth/usage/history/v2/summary', rows)],
    ['usage, `page` and `total`', `${usage}?page=1&page_size=50`],
    [`usage, summary of ${SUMMARY_DAYS} days`, `${usage}?page=1&page_size=1&summary=true&start_date=${since}`],
    // Its first page asks whether the ledger is complete, which is remembered: the walk to the deep page has asked.
    ['settlements, deep page by cursor', await deep(reader, accountId, '/auth/account/settlement-history', rows)],
    ['settlements, first page by cursor', settled],
    ['ledger, `page` and `total`', `${ledger}?page=1&page_size=50`],
    [`ledger, summary of ${SUMMARY_DAYS} days`, `${ledger}?page=1&page_size=1&summary=true&start_date=${since}`],
  ];
  const results: Read[] = [];
  for (const [what, path] of reads) {
    const answers: Timed[] = [];
    for (let i = 0; i < READS; i += 1) answers.push(await reader.get(accountId, path));
    const wrong = answers.find(({ status }) => status !== 200 && status < 500);
    if (wrong !== undefined) throw new Error(`${path} was answered ${wrong.status}`);
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
    const refused = answers.filter(({ status }) => status >= 500).length / READS;
    results.push({ what, accountRows: rows, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95), refused });
  }
  return results;
}

/**
 * A page in the middle of the history, or as deep as some walk goes; where it ends in a 5xx, what was asked there. The
 * first page of a long settlement history is a 503 until the ledger was compared as far as it reaches.
 */
async function deep(reader: Reader, accountId: string, path: string, rows: number): Promise<string> {
  let next = `${path}?page_size=500`;
  const pages = Math.min(DEEP_PAGES, Math.floor(rows / 1_000));
  for (let page = 0; page < pages; page += 1) {
    const { status, data } = await answerOf(reader, accountId, next);
    const cursor = data['next_cursor'];
    if (status >= 500) break;
    if (typeof cursor !== 'string') throw new Error(`${next} was answered ${status} without a further page`);
    next = `${path}?page_size=500&cursor=${cursor}`;
  }
  return next.replace('page_size=500', 'page_size=100');
}

async function answerOf(reader: Reader, accountId: string, path: string): Promise<Timed> {
  for (let tries = 1; ; tries += 1) {
    const answer = await reader.get(accountId, path);
    if (answer.status < 500 || tries >= MAX_TRIES) return answer;
  }
}

const digestSql = `SELECT count(*)::int AS rows, sum(hashtextextended(u::text, 0)::numeric)::text AS digest FROM usage_events u`;

/** Built once of the facts, then measured: built anew, with the same rows in the end. */
async function measureRebuild(
  owner: pg.Pool,
  events: number,
  log: (line: string) => void,
): Promise<{ readonly perSecond: number; readonly longestTransactionMs: number }> {
  await generateHistory(owner, { rows: events, factsOnly: true, log });
  await rebuildUsageAudit(owner);
  await owner.query('VACUUM ANALYZE');
  const before = (await owner.query<{ rows: number; digest: string }>(digestSql)).rows;
  let longestTransactionMs = 0;
  const sampler = setInterval(() => void sample(), 20);
  const sample = async (): Promise<void> => {
    const { rows } = await owner.query<{ ms: number | null }>(
      `SELECT max(extract(epoch FROM clock_timestamp() - xact_start) * 1000)::float8 AS ms
         FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`,
    );
    longestTransactionMs = Math.max(longestTransactionMs, rows[0]?.ms ?? 0);
  };
  const startedMs = performance.now();
  const { facts } = await rebuildUsageAudit(owner);
  const seconds = (performance.now() - startedMs) / 1_000;
  clearInterval(sampler);
  const after = (await owner.query<{ rows: number; digest: string }>(digestSql)).rows;
  if (JSON.stringify(after) !== JSON.stringify(before))
    throw new Error(`the rebuild changed rows: ${JSON.stringify({ before, after })}`);
  log(
    `rebuild of ${facts} facts: ${(facts / seconds).toFixed(0)}/s, longest transaction ${longestTransactionMs.toFixed(0)} ms`,
  );
  return { perSecond: facts / seconds, longestTransactionMs };
}
