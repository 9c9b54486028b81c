import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { deleteInSteps } from '../retention/delete-in-steps.sql.js';
import { daysKept, type FeedbackPolicy } from './domain/term-weight.js';
import { sweepErasures } from './erase-accounts.js';

const DAY_MS = 86_400_000;

/** Removes uses that have faded, also while feedback is off, and old notes of erasures. Resolves to the rows removed. */
export async function sweepFeedback(pool: pg.Pool, nowMs: number, policy: FeedbackPolicy): Promise<number> {
  const before = toIso(nowMs - daysKept(policy) * DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  const uses = { table: 'feedback_uses', key: 'account_id, tool_id, used_on', age: 'used_on' };
  return (await deleteInSteps(pool, uses, before)) + (await sweepErasures(pool, nowMs));
}
