import { inTransaction } from '@capability-router/event-store';
import type { EventEnvelope } from '@capability-router/contracts';
import type pg from 'pg';
import { DEFAULT_MAX_BATCH_EVENTS, type SharedSubscription } from '../event-bus.js';
import { classifyError } from './errors.js';
import { describeError } from './park.js';
import { inSavepoint } from './savepoint.js';

export interface ParkedEvent {
  topic: string;
  partitionKey: string;
  event: EventEnvelope;
  reason: string;
  /** ISO 8601. */
  parkedAt: string;
}

export interface ReplayResult {
  replayed: number;
  /** Still parked, because one of them failed again. */
  remaining: number;
  /** Why, where some remain. */
  error?: string;
}

/** Parked events in one answer. */
export const MAX_LISTED_EVENTS = 1_000;

interface ParkedRow {
  id: string;
  topic: string;
  partition_key: string;
  event: EventEnvelope;
  reason: string;
  parked_at: Date;
}

/** The events that a group has parked, oldest first; at most `MAX_LISTED_EVENTS`. */
export async function listParked(pool: pg.Pool, group: string): Promise<ParkedEvent[]> {
  const { rows } = await pool.query<ParkedRow>(
    `SELECT id, topic, partition_key, event, reason, parked_at FROM parked_events
      WHERE consumer_group = $1 ORDER BY id LIMIT ${MAX_LISTED_EVENTS}`,
    [group],
  );
  return rows.map((row) => ({
    topic: row.topic,
    partitionKey: row.partition_key,
    event: row.event,
    reason: row.reason,
    parkedAt: row.parked_at.toISOString(),
  }));
}

/**
 * Handles the parked events of a key in order, and lets the key flow again once none is left. Stops at the first that
 * fails again; those before it are done. Safe beside the running consumer. Throws only transient errors.
 */
export async function replayParked(
  pool: pg.Pool,
  subscription: SharedSubscription,
  key: string,
): Promise<ReplayResult> {
  const result: ReplayResult = { replayed: 0, remaining: 0 };
  for (const topic of subscription.topics) {
    let more = true;
    while (more) more = await replayChunk(pool, subscription, topic, key, result);
  }
  const { rows } = await pool.query<{ remaining: number }>(
    `SELECT count(*)::int AS remaining FROM parked_events
      WHERE consumer_group = $1 AND topic = ANY($2::text[]) AND partition_key = $3`,
    [subscription.group, subscription.topics, key],
  );
  return { ...result, remaining: rows[0]?.remaining ?? 0 };
}

async function replayChunk(
  pool: pg.Pool,
  subscription: SharedSubscription,
  topic: string,
  key: string,
  result: ReplayResult,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const values = [subscription.group, topic, key];
    // A consumer works under the lock of its position, so it cannot add to the key while we empty it. All positions,
    // because where the number of lanes has changed, the key is no longer on the one that parked it.
    await tx.query(
      `SELECT FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 ORDER BY partition FOR UPDATE`,
      [subscription.group, topic],
    );
    const limit = subscription.maxBatch ?? DEFAULT_MAX_BATCH_EVENTS;
    const { rows } = await tx.query<ParkedRow>(
      `SELECT id, topic, partition_key, event, reason, parked_at FROM parked_events
        WHERE consumer_group = $1 AND topic = $2 AND partition_key = $3 ORDER BY id LIMIT ${limit}`,
      values,
    );
    const { done, error } = await handleInOrder(tx, subscription, rows);
    await tx.query('DELETE FROM parked_events WHERE id = ANY($1::bigint[])', [rows.slice(0, done).map((r) => r.id)]);
    const failed = rows[done];
    if (failed !== undefined) {
      result.error = describeError(error);
      await tx.query('UPDATE parked_events SET reason = $2 WHERE id = $1', [failed.id, result.error]);
    }
    result.replayed += done;
    return rows.length === limit && failed === undefined;
  });
}

async function handleInOrder(
  tx: pg.PoolClient,
  subscription: SharedSubscription,
  rows: readonly ParkedRow[],
): Promise<{ done: number; error?: unknown }> {
  for (const [index, row] of rows.entries()) {
    try {
      await inSavepoint(tx, () => subscription.handle([row.event], tx));
    } catch (error) {
      if (classifyError(error) === 'transient') throw error;
      return { done: index, error };
    }
  }
  return { done: rows.length };
}
