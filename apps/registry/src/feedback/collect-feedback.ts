import type { EventEnvelope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { chargedUseOf } from './domain/charged-use.js';
import { feedbackTerms, type FeedbackVocabulary } from './domain/feedback-terms.js';
import { daysKept, type FeedbackPolicy } from './domain/term-weight.js';
import { findQueries, markFeedbackOutdated, saveUses } from './feedback-uses.sql.js';

const DAY_MS = 86_400_000;

/**
 * Keeps, in the caller's transaction, the terms of searches that led to a charge: once per account, tool and day, however
 * often an event comes. While feedback is off, events pass and leave nothing, so that nothing is made up for later.
 */
export async function collectFeedback(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  parts: { readonly clock: Clock; readonly policy: FeedbackPolicy; readonly vocabulary: FeedbackVocabulary },
): Promise<void> {
  const { clock, policy, vocabulary } = parts;
  if (!policy.enabled) return;
  const from = clock.nowMs() - daysKept(policy) * DAY_MS;
  const uses = events.flatMap((event) => chargedUseOf(event) ?? []).filter(({ usedAtMs }) => usedAtMs > from);
  if (uses.length === 0) return;
  const withTerms = await Promise.all(
    (await findQueries(tx, uses)).map(async ({ use, query }) => ({
      use,
      terms: await feedbackTerms(query, vocabulary),
    })),
  );
  const toolIds = await saveUses(
    tx,
    withTerms.filter(({ terms }) => terms.length > 0),
  );
  if (toolIds.length > 0) await markFeedbackOutdated(tx, toolIds);
}
