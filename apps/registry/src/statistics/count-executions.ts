import type { EventEnvelope } from '@capability-router/contracts';
import { toIso, usageEventIdOf, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { toBuckets } from './domain/buckets.js';
import { samplesOf, type Sample } from './domain/sample.js';
import { addToBuckets, claimExecutions, findCountable, markOutdated } from './statistics.sql.js';

const DAY_MS = 86_400_000;

/**
 * Counts a batch of execution events in the caller's transaction. An execution counts once, however often its event
 * comes; one that ended before the window, or was called by the owner of its provider, does not count.
 */
export async function countExecutions(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
  windowDays: number,
): Promise<void> {
  const nowMs = clock.nowMs();
  const from = nowMs - windowDays * DAY_MS;
  const samples = events.flatMap(samplesOf).filter((sample) => sample.completedAtMs > from);
  if (samples.length === 0) return;
  const countable = await findCountable(tx, samples);
  const claimed = await claimExecutions(tx, [...new Set(countable.map(uuidOf))], toIso(nowMs));
  // An event may be in the batch twice: each attempt counts once.
  const byKey = new Map(countable.map((sample) => [sample.key, sample]));
  const counted = [...byKey.values()].filter((sample) => claimed.has(uuidOf(sample)));
  if (counted.length === 0) return;
  const buckets = toBuckets(counted);
  await addToBuckets(tx, buckets);
  await markOutdated(tx, [...new Set(buckets.map(({ subject }) => subject))]);
}

const uuidOf = (sample: Sample): string => usageEventIdOf(sample.executionId);
