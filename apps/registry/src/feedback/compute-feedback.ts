import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import {
  daysKept,
  MAX_TERMS_PER_TOOL,
  MIN_ACCOUNTS,
  termWeight,
  type FeedbackPolicy,
  type WeightedTerm,
} from './domain/term-weight.js';
import { claimDue, saveFeedback, sumUses } from './tool-feedback.sql.js';

/** Tools in one transaction. */
const TOOLS_PER_TRANSACTION = 50;
/** Transactions of one round; what is left waits for the next. */
const MAX_TRANSACTIONS_PER_ROUND = 100;
const DAY_MS = 86_400_000;

/**
 * Computes the terms of every tool whose uses have changed, and of every one whose uses have aged since yesterday.
 * Replicas share the work. Resolves to the number of tools.
 */
export async function computeFeedback(pool: pg.Pool, clock: Clock, policy: FeedbackPolicy): Promise<number> {
  const nowMs = clock.nowMs();
  const today = dayOf(nowMs);
  const window = {
    today,
    fromDay: dayOf(nowMs - daysKept(policy) * DAY_MS),
    halfLifeDays: policy.halfLifeDays,
    minAccounts: MIN_ACCOUNTS,
    maxTerms: MAX_TERMS_PER_TOOL,
  };
  let done = 0;
  for (let round = 0; round < MAX_TRANSACTIONS_PER_ROUND; round += 1) {
    const tools = await inTransaction(pool, async (tx) => {
      const toolIds = await claimDue(tx, today, TOOLS_PER_TRANSACTION);
      if (toolIds.length === 0) return 0;
      const terms = new Map<string, WeightedTerm[]>(toolIds.map((toolId) => [toolId, []]));
      for (const { toolId, word, uses } of await sumUses(tx, toolIds, window)) {
        const weight = termWeight(uses);
        if (weight > 0) terms.get(toolId)?.push({ term: word, weight });
      }
      await saveFeedback(tx, terms);
      return toolIds.length;
    });
    done += tools;
    if (tools < TOOLS_PER_TRANSACTION) break;
  }
  return done;
}

const dayOf = (ms: number): string => toIso(ms).slice(0, 'YYYY-MM-DD'.length);
