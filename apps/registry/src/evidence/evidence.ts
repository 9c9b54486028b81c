import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { computeFeedback } from '../feedback/compute-feedback.js';
import { eraseAccounts } from '../feedback/erase-accounts.js';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { sweepFeedback } from '../feedback/sweep-feedback.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';
import { summariseStatistics } from '../statistics/summarise-statistics.js';
import { sweepStatistics } from '../statistics/sweep-statistics.js';
import type { EvidenceConfig } from './evidence-config.js';

/** Tools indexed at once: searches wait meanwhile. */
const REINDEX_CHUNK_TOOLS = 100;

/** The evidence of calls and charges about tools, kept in the database by all replicas and in memory by each. */
@Injectable()
export class Evidence {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: { readonly evidence: EvidenceConfig },
    @Inject(StatisticsCopy) readonly statistics: StatisticsCopy,
    @Inject(FeedbackCopy) readonly feedback: FeedbackCopy,
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
  ) {}

  /** Loads both copies. */
  async load(): Promise<void> {
    await this.statistics.load(this.pool);
    await this.feedback.load(this.pool);
  }

  /**
   * Computes what is due, and brings both copies and the index up to it. A step that fails stops no other; then it
   * throws.
   */
  keepFresh(): Promise<void> {
    const { pool, clock } = this;
    const { statistics, feedback: policy } = this.config.evidence;
    return eachOf([
      () => eraseAccounts(pool, clock),
      () => summariseStatistics(pool, clock, statistics.windowDays),
      () => (policy.enabled ? computeFeedback(pool, clock, policy) : Promise.resolve()),
      async () => this.reindex(await this.statistics.refresh(pool)),
      async () => this.reindex(await this.feedback.refresh(pool)),
    ]);
  }

  /**
   * Removes days outside the window of statistics, and uses that have faded. A step that fails stops no other; then it
   * throws.
   */
  sweep(): Promise<void> {
    const { pool, clock } = this;
    const { statistics, feedback: policy } = this.config.evidence;
    return eachOf([
      () => sweepStatistics(pool, clock.nowMs(), statistics.windowDays),
      () => sweepFeedback(pool, clock.nowMs(), policy),
    ]);
  }

  /** The index gets the tools of which something else is known now, some at a time. */
  private async reindex(toolIds: readonly string[]): Promise<void> {
    for (let from = 0; from < toolIds.length; from += REINDEX_CHUNK_TOOLS) {
      await this.catalogue.reindex(toolIds.slice(from, from + REINDEX_CHUNK_TOOLS));
    }
  }
}

/** In this order. One that fails does not keep the others waiting; what failed is thrown together afterwards. */
async function eachOf(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
}
