import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@capability-router/kernel';
import { Periodic } from '@capability-router/service-kit';
import type pg from 'pg';
import { computeFeedback } from '../feedback/compute-feedback.js';
import type { FeedbackPolicy } from '../feedback/domain/term-weight.js';
import { eraseAccounts } from '../feedback/erase-accounts.js';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { sweepFeedback } from '../feedback/sweep-feedback.js';
import type { StatisticsPolicy } from '../statistics/domain/tool-statistics.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';
import { summariseStatistics } from '../statistics/summarise-statistics.js';
import { sweepStatistics } from '../statistics/sweep-statistics.js';

/** Milliseconds from a counted call to a summary at most, and from a summary to every replica's copy. */
const REFRESH_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 3_600_000;
/** Tools indexed without a pause in between: searches wait meanwhile. */
const REINDEX_CHUNK_TOOLS = 100;

export interface EvidenceParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Gets the tools of which something else is known now, some at a time. */
  readonly reindex: (toolIds: readonly string[]) => void;
  readonly statistics: StatisticsPolicy;
  readonly feedback: FeedbackPolicy;
  /** Default 5,000. */
  readonly refreshIntervalMs?: number;
}

/** What calls and charges say about tools, kept in the database by all replicas and in memory by each. */
export class Evidence {
  readonly statistics: StatisticsCopy;
  readonly feedback: FeedbackCopy;

  constructor(private readonly parts: EvidenceParts) {
    this.statistics = new StatisticsCopy(parts.clock, parts.statistics);
    this.feedback = new FeedbackCopy(parts.feedback.enabled);
  }

  /** Loads both copies. */
  async load(): Promise<void> {
    await this.statistics.load(this.parts.pool);
    await this.feedback.load(this.parts.pool);
  }

  @Periodic<Evidence>({
    name: 'refresh of evidence',
    everyMs: ({ parts }) => parts.refreshIntervalMs ?? REFRESH_INTERVAL_MS,
    atStart: true,
  })
  keepFresh(): Promise<void> {
    const { pool, clock, feedback: policy, statistics, reindex } = this.parts;
    return eachOf([
      () => eraseAccounts(pool, clock),
      () => summariseStatistics(pool, clock, statistics.windowDays),
      () => (policy.enabled ? computeFeedback(pool, clock, policy) : Promise.resolve()),
      async () => inChunks(await this.statistics.refresh(pool), reindex),
      async () => inChunks(await this.feedback.refresh(pool), reindex),
    ]);
  }

  @Periodic({ name: 'sweep of evidence', everyMs: SWEEP_INTERVAL_MS, atStart: true })
  sweep(): Promise<void> {
    const { pool, clock, statistics, feedback: policy } = this.parts;
    return eachOf([
      () => sweepStatistics(pool, clock.nowMs(), statistics.windowDays),
      () => sweepFeedback(pool, clock.nowMs(), policy),
    ]);
  }
}

/** In this order. One that fails does not keep the others waiting; what failed is thrown together afterwards. */
async function eachOf(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}

async function inChunks(toolIds: readonly string[], reindex: (toolIds: readonly string[]) => void): Promise<void> {
  for (let from = 0; from < toolIds.length; from += REINDEX_CHUNK_TOOLS) {
    reindex(toolIds.slice(from, from + REINDEX_CHUNK_TOOLS));
    await nextTurn();
  }
}
