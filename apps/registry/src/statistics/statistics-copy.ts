import type { Clock } from '@capability-router/kernel';
import { ChangedRowsCopy, CLOCK, CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { providerSubject, toolSubject, type Summary } from './domain/buckets.js';
import { toStatistics, windowName, type StatisticsPolicy, type ToolStatistics } from './domain/tool-statistics.js';
import type { StatisticsConfig } from './statistics-config.js';

/** Milliseconds without a successful read after which nothing is said rather than something old. */
const MAX_AGE_MS = 600_000;

const neverCalled: Summary = { successCount: 0, failureCount: 0 };

interface SummaryRow {
  subject: string;
  success_count: string;
  failure_count: string;
  average_ms: number | null;
  p95_ms: number | null;
  last_sample_at: Date | null;
}

/** The statistics of every tool and provider in memory, in every replica. */
@Injectable()
export class StatisticsCopy {
  private readonly summaries = new Map<string, Summary>();
  private readonly policy: StatisticsPolicy;
  private readonly rows: ChangedRowsCopy<SummaryRow>;
  private freshAtMs: number | undefined;
  private changed = new Set<string>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { evidence }: StatisticsConfig,
  ) {
    this.policy = evidence.statistics;
    this.rows = new ChangedRowsCopy<SummaryRow>(
      {
        table: 'statistics_summaries',
        key: 'subject',
        columns: ['subject', 'success_count', 'failure_count', 'average_ms', 'p95_ms', 'last_sample_at'],
      },
      (rows) => this.apply(rows),
    );
  }

  get(toolId: string): ToolStatistics {
    return this.of(toolSubject(toolId));
  }

  /** All tools of a provider together. */
  ofProvider(providerId: string): ToolStatistics {
    return this.of(providerSubject(providerId));
  }

  async load(pool: pg.Pool): Promise<void> {
    await this.rows.load(pool);
    this.changed.clear();
    this.freshAtMs = this.clock.nowMs();
  }

  /** Reads what changed. Resolves to the tools of which something else is said now. */
  async refresh(pool: pg.Pool): Promise<string[]> {
    await this.rows.refresh(pool);
    this.freshAtMs = this.clock.nowMs();
    const changed = [...this.changed];
    this.changed = new Set();
    return changed;
  }

  private of(subject: string): ToolStatistics {
    const nowMs = this.clock.nowMs();
    if (this.freshAtMs === undefined || nowMs - this.freshAtMs > MAX_AGE_MS) {
      return { sampleCount: 0, status: 'unavailable', window: windowName(this.policy) };
    }
    return toStatistics(this.summaries.get(subject) ?? neverCalled, this.policy, nowMs);
  }

  private apply(rows: readonly SummaryRow[]): void {
    for (const row of rows) {
      this.summaries.set(row.subject, {
        successCount: Number(row.success_count),
        failureCount: Number(row.failure_count),
        ...(row.average_ms === null ? {} : { averageMs: row.average_ms }),
        ...(row.p95_ms === null ? {} : { p95Ms: row.p95_ms }),
        ...(row.last_sample_at === null ? {} : { lastSampleAtMs: row.last_sample_at.getTime() }),
      });
      if (row.subject.startsWith(TOOL_PREFIX)) this.changed.add(row.subject.slice(TOOL_PREFIX.length));
    }
  }
}

const TOOL_PREFIX = toolSubject('');
