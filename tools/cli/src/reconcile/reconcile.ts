import { Spill } from '@capability-router/billing/books';
import type pg from 'pg';
import { compareRecords } from './compare-records.js';
import {
  findExecutions,
  readAudit,
  readExecutions,
  readImports,
  readLedger,
  readLedgerTopic,
  readSearches,
  readSettlements,
  type Take,
  type Topics,
  type Window,
} from './read-sources.js';
import type { Difference, SourceName, SourceRecord } from './records.js';
import { fromSpilled, toSpilled } from './spilled.js';
import { Totals } from './totals.js';
import { settlementWatermark } from './watermark.js';

/** Differences that are listed; the rest is counted. */
export const MAX_DIFFERENCES = 1_000;
/** Ids in one look-up. */
const LOOK_UP_IDS = 500;

export interface ReconcileOptions {
  readonly pools: Readonly<Record<'billing' | 'execution' | 'registry', pg.Pool>>;
  /** Absent on the embedded bus: the tables stand for the topics. */
  readonly topics: Topics | undefined;
  /** False on Kafka where the topics are left out all the same. */
  readonly compareTopic: boolean;
  /** Milliseconds since the epoch. */
  readonly fromMs: number | undefined;
  /** As `fromMs`; never beyond the settlement watermark. */
  readonly toMs: number | undefined;
  readonly onProgress?: (reached: ReconcileProgress) => void;
}

/** How far a comparison is: every source is read before anything is compared. */
export interface ReconcileProgress {
  /** Records that were read so far, of all sources. */
  readonly records: number;
  /** The source that is read. */
  readonly source?: SourceName;
  /** Ids that were compared, once all records are read. */
  readonly compared?: number;
}

export interface ReconcileReport {
  readonly equal: boolean;
  readonly fromMs: number | undefined;
  /** Where the comparison ended. */
  readonly toMs: number;
  readonly watermarkMs: number;
  readonly topic: boolean;
  /** Old records of the topic are gone: what they held is listed as not published. */
  readonly topicExpired: boolean;
  readonly totals: Totals;
  readonly differenceCount: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares, for every execution, billed search, imported model call and ledger entry that took effect in the window, what executions, ledger,
 * usage audit and topics say. The watermark is taken first and everything is read after it, so that what is on its way
 * is no difference; records go through temporary files, so that memory does not grow with the window.
 */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileReport> {
  const { pools, topics } = options;
  const watermarkMs = await settlementWatermark({ pools, topics });
  const window: Window = { fromMs: options.fromMs, toMs: Math.min(options.toMs ?? Infinity, watermarkMs) };
  const topic = options.compareTopic && topics !== undefined;
  const spill = await Spill.open();
  try {
    let records = 0;
    const take: Take = (id, record) => {
      records += 1;
      options.onProgress?.({ records, source: record.source });
      return spill.add(toSpilled(id, record));
    };
    await readExecutions(pools.execution, window, take);
    await readSearches(pools.registry, window, take);
    await readImports(pools.billing, window, take);
    await readSettlements(pools.billing, topics, window, take);
    await readLedger(pools.billing, window, take);
    await readAudit(pools.billing, window, watermarkMs, take);
    const topicExpired = topic && (await readLedgerTopic(topics, window, take));
    const compared = await compareAll(spill, pools, window, topic, (ids) =>
      options.onProgress?.({ records, compared: ids }),
    );
    return {
      equal: compared.differenceCount === 0,
      fromMs: window.fromMs,
      toMs: window.toMs,
      watermarkMs,
      topic,
      topicExpired,
      ...compared,
    };
  } finally {
    await spill.close();
  }
}

async function compareAll(
  spill: Spill,
  pools: ReconcileOptions['pools'],
  window: Window,
  topic: boolean,
  onCompared: (ids: number) => void,
): Promise<Pick<ReconcileReport, 'totals' | 'differenceCount' | 'differences'>> {
  const totals = new Totals();
  const differences: Difference[] = [];
  let differenceCount = 0;
  let ids = 0;
  for await (const groups of spill.groups()) {
    const records = new Map([...groups].map(([id, rows]) => [id, rows.map(fromSpilled)]));
    await addMissedExecutions(pools.execution, window, records);
    for (const [id, said] of records) {
      totals.add(id, said);
      const found = compareRecords(id, said, { topic });
      differenceCount += found.length;
      differences.push(...found.slice(0, MAX_DIFFERENCES - differences.length));
      ids += 1;
    }
    onCompared(ids);
  }
  return { totals, differenceCount, differences: await explainParked(pools.billing, differences) };
}

/** Ids tell when a call began: one that ended much later was not met, and is looked up before it is called unknown. */
async function addMissedExecutions(
  execution: pg.Pool,
  window: Window,
  records: Map<string, SourceRecord[]>,
): Promise<void> {
  const unknown = [...records]
    .filter(([id, said]) => id.startsWith('exec_') && !said.some(({ source }) => source === 'execution'))
    .map(([id]) => id);
  for (let from = 0; from < unknown.length; from += LOOK_UP_IDS) {
    const found = await findExecutions(execution, window, unknown.slice(from, from + LOOK_UP_IDS));
    for (const [id, ends] of found) records.set(id, [...ends, ...(records.get(id) ?? [])]);
  }
}

/** Says of what was not settled or audited why, where its event is parked. */
async function explainParked(billing: pg.Pool, differences: readonly Difference[]): Promise<Difference[]> {
  const waiting = differences.filter(({ kind }) => kind === 'not_settled' || kind === 'audit_missing');
  if (waiting.length === 0) return [...differences];
  const { rows } = await billing.query<{ id: string; consumer_group: string; partition_key: string; reason: string }>(
    `SELECT event->>'subject' AS id, consumer_group, partition_key, reason FROM parked_events WHERE event->>'subject' = ANY($1)`,
    [waiting.map(({ id }) => id)],
  );
  const why = new Map(rows.map((row) => [row.id, `; parked in ${row.consumer_group}: ${row.reason}`]));
  return differences.map((difference) =>
    waiting.includes(difference)
      ? { ...difference, detail: `${difference.detail}${why.get(difference.id) ?? ''}` }
      : difference,
  );
}
