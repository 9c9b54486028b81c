import {
  wasAskedToRetry,
  topicNames,
  type EventEnvelope,
  type LedgerEntryRecorded,
  type UsageSettled,
} from '@capability-router/contracts';
import type { TopicReader } from '@capability-router/event-bus/kafka';
import type pg from 'pg';
import type { SourceRecord } from './records.js';
import { readCursor } from './read-cursor.js';

const HOUR_MS = 3_600_000;
/**
 * Ids tell when a call began, the window when it ended. A call lasts minutes at most, but one that was running when
 * execution went down ends when it is up again; what is missed all the same is looked up by its id.
 */
const LONGEST_CALL_MS = 25 * HOUR_MS;
/** How far the clocks of two machines, or of a service and a broker, may be apart. */
const CLOCK_SKEW_MS = HOUR_MS;

export interface Window {
  /** Milliseconds since the epoch; from the beginning where absent. */
  readonly fromMs: number | undefined;
  readonly toMs: number;
}

export type Take = (id: string, record: SourceRecord) => Promise<void>;
export type Topics = Pick<TopicReader, 'read'>;

const iso = (ms: number): string => new Date(ms).toISOString();
/** PostgreSQL's own beginning of time. */
const bounds = ({ fromMs, toMs }: Window): [string, string] => [
  fromMs === undefined ? '-infinity' : iso(fromMs),
  iso(toMs),
];
/** 48 bits of milliseconds, as a UUIDv7 begins. */
const timePrefix = (ms: number): string => Math.max(0, ms).toString(16).padStart(12, '0');

const endColumns = `stream_id AS id, partition_key AS account_id, type, data->'bill'->>'listAmountMicroCredits' AS bill,
       (data->'outcome'->>'billableSuccess')::boolean AS billable, (data->>'dispatched')::boolean AS dispatched, (data->>'httpStatusCode')::int AS status`;
const isEnd = `topic = '${topicNames.executions}' AND type IN ('ExecutionCompleted', 'ExecutionRefused', 'ExecutionInterrupted')`;
const endsSql = `
SELECT ${endColumns} FROM events
 WHERE ${isEnd} AND stream_id >= $3 AND stream_id < $4
   AND (data->>'completedAt')::timestamptz >= $1 AND (data->>'completedAt')::timestamptz < $2`;
const endsByIdSql = `
SELECT ${endColumns}, data->>'completedAt' AS completed_at FROM events WHERE ${isEnd} AND stream_id = ANY($1)`;

interface EndRow {
  readonly id: string;
  readonly account_id: string;
  readonly type: string;
  readonly bill: string | null;
  readonly billable: boolean | null;
  readonly dispatched: boolean | null;
  readonly status: number | null;
}

const endRecord = (row: EndRow): SourceRecord => ({
  source: 'execution',
  accountId: row.account_id,
  // Only a completed call can cost anything.
  requested: row.type === 'ExecutionCompleted' && row.billable === true ? BigInt(row.bill ?? '0') : 0n,
  audited: !wasAskedToRetry({ dispatched: row.dispatched, httpStatusCode: row.status }),
});

/** How executions ended, as execution's own store says. */
export async function readExecutions(execution: pg.Pool, window: Window, take: Take): Promise<void> {
  const from = window.fromMs === undefined ? 'exec_' : `exec_${timePrefix(window.fromMs - LONGEST_CALL_MS)}`;
  const to = `exec_${timePrefix(window.toMs + CLOCK_SKEW_MS)}`;
  await readCursor<EndRow>(execution, endsSql, [...bounds(window), from, to], (row) => take(row.id, endRecord(row)));
}

/** Those of these executions that ended within the window, wherever their ids lie. */
export async function findExecutions(
  execution: pg.Pool,
  window: Window,
  ids: readonly string[],
): Promise<Map<string, SourceRecord[]>> {
  const { rows } = await execution.query<EndRow & { completed_at: string }>(endsByIdSql, [ids]);
  const found = new Map<string, SourceRecord[]>();
  for (const row of rows) {
    const endedMs = Date.parse(row.completed_at);
    if (endedMs >= window.toMs || endedMs < (window.fromMs ?? -Infinity)) continue;
    found.set(row.id, [...(found.get(row.id) ?? []), endRecord(row)]);
  }
  return found;
}

const searchesSql = `
SELECT data->>'searchId' AS id, partition_key AS account_id, (data->>'success')::boolean AS success,
       data->'bill'->>'listAmountMicroCredits' AS bill
  FROM events
 WHERE topic = '${topicNames.searches}' AND type = 'ToolsSearched' AND data ? 'bill' AND data ? 'searchId'
   AND (data->>'completedAt')::timestamptz >= $1 AND (data->>'completedAt')::timestamptz < $2`;

/** Searches that the deployment bills. */
export async function readSearches(registry: pg.Pool, window: Window, take: Take): Promise<void> {
  interface Row {
    readonly id: string;
    readonly account_id: string;
    readonly success: boolean;
    readonly bill: string;
  }
  await readCursor<Row>(registry, searchesSql, bounds(window), (row) =>
    take(row.id, {
      source: 'execution',
      accountId: row.account_id,
      requested: row.success ? BigInt(row.bill) : 0n,
      audited: true,
    }),
  );
}

const importsSql = `
SELECT data->>'importRef' AS id, partition_key AS account_id, data->>'requestedMicroCredits' AS requested FROM events
 WHERE topic = '${topicNames.usageRecords}' AND type = 'ModelCallImported'
   AND (data->>'completedAt')::timestamptz >= $1 AND (data->>'completedAt')::timestamptz < $2`;

/** Model calls that an administrator imported: billing itself keeps what was sent. */
export async function readImports(billing: pg.Pool, window: Window, take: Take): Promise<void> {
  interface Row {
    readonly id: string;
    readonly account_id: string;
    readonly requested: string;
  }
  await readCursor<Row>(billing, importsSql, bounds(window), ({ id, account_id: accountId, requested }) =>
    take(id, { source: 'execution', accountId, requested: BigInt(requested), audited: true }),
  );
}

const ledgerSql = `
SELECT entry_id, account_id, entry_type, amount_micro, hash, source_ref_type, source_ref_id FROM ledger_entries
 WHERE effective_at >= $1 AND effective_at < $2`;

export async function readLedger(billing: pg.Pool, window: Window, take: Take): Promise<void> {
  interface Row {
    readonly entry_id: string;
    readonly account_id: string;
    readonly entry_type: string;
    readonly amount_micro: string;
    readonly hash: string;
    readonly source_ref_type: string;
    readonly source_ref_id: string;
  }
  await readCursor<Row>(billing, ledgerSql, bounds(window), (row) =>
    take(keyOf(row.source_ref_type, row.source_ref_id, row.entry_id), {
      source: 'ledger',
      accountId: row.account_id,
      entry: { entryId: row.entry_id, entryType: row.entry_type, amount: BigInt(row.amount_micro), hash: row.hash },
    }),
  );
}

/** A charge goes by what it charges, any other entry by itself. */
const keyOf = (refType: string, refId: string, entryId: string): string =>
  refType === 'execution' || refType === 'search' || refType === 'import' ? refId : entryId;

/**
 * Refunds of a charge may come whenever they like, so they are not bound by the window. `$3`: entries from here are new.
 * An inspection costs nothing: one that has money is a second row of the search that it names.
 */
const auditSql = `
SELECT CASE event_type WHEN 'search' THEN search_id WHEN 'model_call' THEN source_ref_id
            WHEN 'search_by_ids' THEN source_ref_id ELSE execution_id END AS id,
       account_id, requested_micro, settled_micro, u.ledger_entry_id, refunded_micro::text AS refunded,
       COALESCE(r.due, 0)::text AS refunds_due, COALESCE(r.booked, 0)::text AS refunds_booked
  FROM usage_events u LEFT JOIN (
    SELECT unwound_entry_id, sum(amount_micro) AS booked, sum(amount_micro) FILTER (WHERE ledger_entry_id < $3) AS due
      FROM lot_restores GROUP BY unwound_entry_id) r ON r.unwound_entry_id = u.ledger_entry_id
 WHERE recorded AND effective_at >= $1 AND effective_at < $2
   AND (event_type IN ('tool_execute', 'capabilities_query', 'model_call') OR event_type = 'search' AND bill IS NOT NULL
        OR event_type = 'search_by_ids' AND (settled_micro IS NOT NULL OR u.ledger_entry_id IS NOT NULL))`;

/** `heardUntilMs`: what was booked before it has reached the audit. */
export async function readAudit(billing: pg.Pool, window: Window, heardUntilMs: number, take: Take): Promise<void> {
  interface Row {
    readonly id: string | null;
    readonly account_id: string;
    readonly requested_micro: string | null;
    readonly settled_micro: string | null;
    readonly ledger_entry_id: string | null;
    readonly refunded: string;
    readonly refunds_due: string;
    readonly refunds_booked: string;
  }
  const amount = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
  const values = [...bounds(window), `led_${timePrefix(heardUntilMs)}`];
  await readCursor<Row>(billing, auditSql, values, async (row) => {
    if (row.id === null) return;
    const [audited, due, booked] = [BigInt(row.refunded), BigInt(row.refunds_due), BigInt(row.refunds_booked)];
    await take(row.id, {
      source: 'audit',
      accountId: row.account_id,
      requested: amount(row.requested_micro),
      settled: amount(row.settled_micro),
      entryId: row.ledger_entry_id,
      ...(audited === 0n && booked === 0n ? {} : { refunds: { audited, due, booked } }),
    });
  });
}

const settlementsSql = `
SELECT data FROM events
 WHERE topic = '${topicNames.usageSettlements}' AND type = 'UsageSettled'
   AND (data->>'effectiveAt')::timestamptz >= $1 AND (data->>'effectiveAt')::timestamptz < $2`;

/** From the topic, or on the embedded bus from the table that stands for it. */
export async function readSettlements(
  billing: pg.Pool,
  topics: Topics | undefined,
  window: Window,
  take: Take,
): Promise<void> {
  const takeOne = (data: UsageSettled): Promise<void> =>
    take(settledId(data), {
      source: 'settlement',
      accountId: data.accountId,
      requested: BigInt(data.requestedMicroCredits),
      settled: BigInt(data.settledMicroCredits),
      covered: BigInt(data.coveredMicroCredits ?? 0),
      status: data.status,
      entryId: data.ledgerEntryId ?? null,
    });
  if (topics === undefined) {
    await readCursor<{ data: UsageSettled }>(billing, settlementsSql, bounds(window), ({ data }) => takeOne(data));
    return;
  }
  await readTopic(topics, topicNames.usageSettlements, window, async (event) => {
    const data = event.data as unknown as UsageSettled;
    if (within(window, data.effectiveAt)) await takeOne(data);
  });
}

/** Records of older builds name what was settled by other members. */
function settledId(data: UsageSettled): string {
  const named = data as Partial<UsageSettled>;
  return named.sourceRefId ?? (named.eventType === 'search' ? named.searchId : named.executionId) ?? '';
}

/** @returns whether records that the window may hold were deleted */
export async function readLedgerTopic(topics: Topics, window: Window, take: Take): Promise<boolean> {
  return readTopic(topics, topicNames.ledgerEntries, window, async (event) => {
    const data = event.data as unknown as LedgerEntryRecorded;
    if (!within(window, data.effectiveAt)) return;
    await take(keyOf(data.sourceRefType, data.sourceRefId, data.entryId), {
      source: 'topic',
      accountId: data.accountId,
      entry: {
        entryId: data.entryId,
        entryType: data.entryType,
        amount: BigInt(data.amountMicroCredits),
        hash: data.hash,
      },
    });
  });
}

async function readTopic(
  topics: Topics,
  topic: string,
  window: Window,
  handle: (event: EventEnvelope) => Promise<void>,
): Promise<boolean> {
  // Nothing is published before it was effective.
  const start = window.fromMs === undefined ? {} : { writtenAfterMs: window.fromMs - CLOCK_SKEW_MS };
  return (await topics.read(topic, { ...start, handle })).expired;
}

function within({ fromMs, toMs }: Window, time: string): boolean {
  const ms = Date.parse(time);
  return ms < toMs && ms >= (fromMs ?? -Infinity);
}
