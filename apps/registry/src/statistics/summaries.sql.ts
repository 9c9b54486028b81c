import { txOrderSql } from '@capability-router/event-store';
import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { Bucket, Summary } from './domain/buckets.js';

/** Clears the mark of at most `limit` subjects that are due and locks them. Those in another's hands are left out. */
export async function claimDue(tx: pg.PoolClient, today: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ subject: string }>(
    `UPDATE statistics_summaries s SET summarised_on = $1::date
       FROM (SELECT subject FROM statistics_summaries WHERE summarised_on < $1::date
              ORDER BY summarised_on LIMIT $2 FOR UPDATE SKIP LOCKED) due
      WHERE s.subject = due.subject RETURNING s.subject`,
    [today, limit],
  );
  return rows.map((row) => row.subject);
}

interface BucketRow {
  subject: string;
  day: string;
  success_count: string;
  failure_count: string;
  duration_ms_sum: string;
  latency_counts: string[];
  last_sample_at: Date;
}

/** Every bucket of the subjects from a day on. */
export async function readBuckets(
  tx: pg.PoolClient,
  subjects: readonly string[],
  fromDay: string,
): Promise<Map<string, Bucket[]>> {
  const { rows } = await tx.query<BucketRow>(
    `SELECT subject, day::text, success_count, failure_count, duration_ms_sum, latency_counts::text[], last_sample_at
       FROM statistics_buckets WHERE subject = ANY($1) AND day >= $2::date`,
    [subjects, fromDay],
  );
  const found = new Map<string, Bucket[]>(subjects.map((subject) => [subject, []]));
  for (const row of rows) {
    found.get(row.subject)?.push({
      subject: row.subject,
      day: row.day,
      successCount: Number(row.success_count),
      failureCount: Number(row.failure_count),
      durationMsSum: Number(row.duration_ms_sum),
      latencyCounts: row.latency_counts.map(Number),
      lastSampleAtMs: row.last_sample_at.getTime(),
    });
  }
  return found;
}

const columns = ['success_count', 'failure_count', 'average_ms', 'p95_ms', 'last_sample_at'];
const rowOf = (alias: string): string => `(${columns.map((column) => `${alias}.${column}`).join(', ')})`;

const saveSummariesSql = `
UPDATE statistics_summaries s SET (${columns.join(', ')}) = ${rowOf('i').replace('(', 'ROW(')}, change_order = ${txOrderSql()}
  FROM jsonb_to_recordset($1::jsonb) AS i(subject text, success_count bigint, failure_count bigint,
       average_ms double precision, p95_ms double precision, last_sample_at timestamptz)
 WHERE s.subject = i.subject AND ${rowOf('s')} IS DISTINCT FROM ${rowOf('i')}`;

/** A summary that says what it said before keeps its place in the order of changes. */
export async function saveSummaries(tx: pg.PoolClient, summaries: ReadonlyMap<string, Summary>): Promise<void> {
  const rows = [...summaries].map(([subject, summary]) => ({
    subject,
    success_count: summary.successCount,
    failure_count: summary.failureCount,
    average_ms: summary.averageMs,
    p95_ms: summary.p95Ms,
    last_sample_at: summary.lastSampleAtMs === undefined ? undefined : toIso(summary.lastSampleAtMs),
  }));
  await tx.query(saveSummariesSql, [JSON.stringify(rows)]);
}
