import { setImmediate as nextTurn } from 'node:timers/promises';
import { topicNames } from '@capability-router/contracts';
import type { BusLogger, EventBus } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import { collectFeedback } from '../feedback/collect-feedback.js';
import { computeFeedback } from '../feedback/compute-feedback.js';
import type { FeedbackVocabulary } from '../feedback/domain/feedback-terms.js';
import type { FeedbackPolicy } from '../feedback/domain/term-weight.js';
import { eraseAccounts, noteErasedAccounts } from '../feedback/erase-accounts.js';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { sweepFeedback } from '../feedback/sweep-feedback.js';
import { countExecutions } from '../statistics/count-executions.js';
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
  readonly bus: Pick<EventBus, 'subscribeShared'>;
  readonly clock: Clock;
  readonly logger: Pick<BusLogger, 'warn'>;
  readonly vocabulary: FeedbackVocabulary;
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

  /** Subscribes; nothing is read before `start` and the start of the bus. */
  constructor(private readonly parts: EvidenceParts) {
    const { bus, pool, clock, vocabulary, feedback: policy } = parts;
    this.statistics = new StatisticsCopy(clock, parts.statistics);
    this.feedback = new FeedbackCopy(policy.enabled);
    bus.subscribeShared(pool, {
      group: 'registry.statistics',
      topics: [topicNames.executions],
      handle: (events, tx) => countExecutions(tx, events, clock, parts.statistics.windowDays),
    });
    bus.subscribeShared(pool, {
      group: 'registry.feedback',
      topics: [topicNames.usageSettlements],
      handle: (events, tx) => collectFeedback(tx, events, { clock, policy, vocabulary }),
    });
    bus.subscribeShared(pool, {
      group: 'registry.erasure',
      topics: [topicNames.accounts],
      handle: (events, tx) => noteErasedAccounts(tx, events, clock),
    });
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
    const keepFresh = this.repeat('keeping statistics and feedback fresh', refreshIntervalMs, async () => {
      await eraseAccounts(pool, clock);
      await summariseStatistics(pool, clock, statistics.windowDays);
      if (policy.enabled) await computeFeedback(pool, clock, policy);
      const changed = new Set([...(await this.statistics.refresh(pool)), ...(await this.feedback.refresh(pool))]);
      await inChunks([...changed], reindex);
    });
    const sweep = this.repeat('the sweep of statistics and feedback', SWEEP_INTERVAL_MS, async () => {
      await sweepStatistics(pool, clock.nowMs(), statistics.windowDays);
      await sweepFeedback(pool, clock.nowMs(), policy);
    });
    this.running = Promise.all([keepFresh, sweep]);
  }

  /** Waits for the work in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async repeat(name: string, intervalMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await work().catch((error: unknown) => {
        this.parts.logger.warn({ err: error }, `${name} failed; tries again`);
      });
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
