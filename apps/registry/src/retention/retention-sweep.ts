import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { deleteInSteps, type AgingTable } from './delete-in-steps.sql.js';

const DAY_MS = 86_400_000;

export interface RetentionPolicy {
  readonly payloadRetentionDays: number;
  readonly searchResultRetentionDays: number;
}

const payloads: AgingTable = { table: 'discovery_payloads', key: 'usage_event_id', age: 'created_at' };
const results: AgingTable = { table: 'search_results', key: 'search_id', age: 'created_at' };

/** Removes what is older than its retention. Resolves to the rows removed. */
export async function sweepRetention(pool: pg.Pool, nowMs: number, policy: RetentionPolicy): Promise<number> {
  const before = (days: number): string => toIso(nowMs - days * DAY_MS);
  return (
    (await deleteInSteps(pool, payloads, before(policy.payloadRetentionDays))) +
    (await deleteInSteps(pool, results, before(policy.searchResultRetentionDays)))
  );
}
