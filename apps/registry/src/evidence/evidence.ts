import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BusLogger } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
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
  readonly logger: Pick<BusLogger, 'warn'>;
  readonly statistics: StatisticsPolicy;
  readonly feedback: FeedbackPolicy;
  /** Default 5,000. */
  readonly refreshIntervalMs?: number;
}

/** What calls and charges say about tools, kept in the database by all replicas and in memory by each. */
export class Evidence {
  readonly statistics: StatisticsCopy;
  readonly feedback: FeedbackCopy;
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: EvidenceParts) {
    this.statistics = new StatisticsCopy(parts.clock, parts.statistics);
    this.feedback = new FeedbackCopy(parts.feedback.enabled);
  }

  /** Loads both copies. */
  async load(): Promise<void> {
    await this.statistics.load(this.parts.pool);
    await this.feedback.load(this.parts.pool);
  }

  /** `reindex` gets the tools of which something else is known now, some at a time. */
  start(reindex: (toolIds: readonly string[]) => void): void {
    const { pool, clock, feedback: policy, statistics } = this.parts;
    const { refreshIntervalMs = REFRESH_INTERVAL_MS } = this.parts;
    const keepFresh = this.repeat(refreshIntervalMs, [
      ['the erasure of accounts', () => eraseAccounts(pool, clock)],
      ['summing up statistics', () => summariseStatistics(pool, clock, statistics.windowDays)],
      ['computing feedback', () => (policy.enabled ? computeFeedback(pool, clock, policy) : Promise.resolve())],
      ['reading statistics', async () => inChunks(await this.statistics.refresh(pool), reindex)],
      ['reading feedback', async () => inChunks(await this.feedback.refresh(pool), reindex)],
    ]);
    const sweep = this.repeat(SWEEP_INTERVAL_MS, [
      ['the sweep of statistics', () => sweepStatistics(pool, clock.nowMs(), statistics.windowDays)],
      ['the sweep of feedback', () => sweepFeedback(pool, clock.nowMs(), policy)],
    ]);
    this.running = Promise.all([keepFresh, sweep]);
  }

  /** Waits for the work in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** A step that fails does not keep the others waiting: it is tried again in the next round. */
  private async repeat(
    intervalMs: number,
    steps: readonly (readonly [name: string, work: () => Promise<unknown>])[],
  ): Promise<void> {
    while (!this.stopping.signal.aborted) {
      for (const [name, work] of steps) {
        await work().catch((error: unknown) => {
          this.parts.logger.warn({ err: error }, `${name} failed; tries again`);
        });
      }
      await delay(intervalMs, this.stopping.signal);
    }
  }
}

async function inChunks(toolIds: readonly string[], reindex: (toolIds: readonly string[]) => void): Promise<void> {
  for (let from = 0; from < toolIds.length; from += REINDEX_CHUNK_TOOLS) {
    reindex(toolIds.slice(from, from + REINDEX_CHUNK_TOOLS));
    await nextTurn();
  }
}
