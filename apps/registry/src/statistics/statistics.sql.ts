import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { Bucket } from './domain/buckets.js';
import type { CountableSample, Sample } from './domain/sample.js';

/** The samples of known tools that are not calls of the provider's own accounts. */
export async function findCountable(tx: pg.PoolClient, samples: readonly Sample[]): Promise<CountableSample[]> {
  // By tool and not by sample: a batch has few tools, and each contract is some kilobytes to look into.
  const { rows } = await tx.query<{ tool_id: string; provider_id: string; owners: string[] | null }>(
    `SELECT tool_id, provider_id, contract #> '{provider,ownerAccountIds}' AS owners FROM tools WHERE tool_id = ANY($1)`,
    [[...new Set(samples.map(({ toolId }) => toolId))]],
  );
  const tools = new Map(rows.map((row) => [row.tool_id, row]));
  return samples.flatMap((sample) => {
    const tool = tools.get(sample.toolId);
    const counts = tool !== undefined && tool.owners?.includes(sample.accountId) !== true;
    return counts ? [{ ...sample, providerId: tool.provider_id }] : [];
  });
}

/** The ids that were not counted before; they are from now on. */
export async function claimExecutions(
  tx: pg.PoolClient,
  executionIds: readonly string[],
  now: string,
): Promise<Set<string>> {
  const { rows } = await tx.query<{ execution_id: string }>(
    `INSERT INTO counted_executions (execution_id, counted_at)
     SELECT id, $2::timestamptz FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT (execution_id) DO NOTHING RETURNING execution_id`,
    [executionIds, now],
  );
  return new Set(rows.map((row) => row.execution_id));
}

const addToBucketsSql = `
INSERT INTO statistics_buckets AS b (subject, day, success_count, failure_count, duration_ms_sum, latency_counts, last_sample_at)
SELECT subject, day, success_count, failure_count, duration_ms_sum, latency_counts, last_sample_at
  FROM jsonb_to_recordset($1::jsonb) AS i(subject text, day date, success_count bigint, failure_count bigint,
       duration_ms_sum bigint, latency_counts bigint[], last_sample_at timestamptz)
 ORDER BY subject, day
ON CONFLICT (subject, day) DO UPDATE SET
  success_count = b.success_count + excluded.success_count,
  failure_count = b.failure_count + excluded.failure_count,
  duration_ms_sum = b.duration_ms_sum + excluded.duration_ms_sum,
  latency_counts = coalesce((
    SELECT array_agg(coalesce(known, 0) + coalesce(added, 0) ORDER BY place)
      FROM unnest(b.latency_counts, excluded.latency_counts) WITH ORDINALITY AS sums(known, added, place)), '{}'),
  last_sample_at = greatest(b.last_sample_at, excluded.last_sample_at)`;

/** Rows are locked in the order of subject and day, so that two consumers wait and never block each other. */
export async function addToBuckets(tx: pg.PoolClient, buckets: readonly Bucket[]): Promise<void> {
  const rows = buckets.map((bucket) => ({
    subject: bucket.subject,
    day: bucket.day,
    success_count: bucket.successCount,
    failure_count: bucket.failureCount,
    duration_ms_sum: bucket.durationMsSum,
    latency_counts: bucket.latencyCounts,
    last_sample_at: toIso(bucket.lastSampleAtMs),
  }));
  await tx.query(addToBucketsSql, [JSON.stringify(rows)]);
}

/** After the buckets were written: whoever summarises clears the mark before it reads them. */
export async function markOutdated(tx: pg.PoolClient, subjects: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO statistics_summaries AS s (subject, summarised_on)
     SELECT subject, '-infinity' FROM unnest($1::text[]) AS subject ORDER BY subject
     ON CONFLICT (subject) DO UPDATE SET summarised_on = '-infinity' WHERE s.summarised_on <> '-infinity'`,
    [subjects],
  );
}
