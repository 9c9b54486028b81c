import type { Clock } from '@capability-router/kernel';
import { ChangedRowsCopy, CLOCK, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { admittedShare, closedBreaker } from './domain/breaker.js';
import { fadedAt, noEvidence, type Counted, type FadedEvidence } from './domain/evidence.js';
import { providerSubject, toolSubject } from './domain/subject.js';
import { countedOf, countedRows, type CountedRow } from './evidence.sql.js';

/** What is known of the calls of one tool. */
export interface ToolEvidence extends FadedEvidence {
  /** Share of the requests that may reach it, 0 to 1: the lesser of its own and its provider's. */
  readonly admittedShare: number;
}

/** The evidence of every tool and provider in memory, in every replica: some hundred bytes each. */
@Injectable()
export class EvidenceCopy {
  private readonly known = new Map<string, Counted>();
  private readonly rows = new ChangedRowsCopy<CountedRow>(countedRows, (rows) => {
    for (const row of rows) this.known.set(row.subject, countedOf(row));
  });

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Everything that is known. */
  load(): Promise<void> {
    return this.rows.load(this.pool);
  }

  /** Reads what has changed since. */
  async refresh(): Promise<void> {
    await this.rows.refresh(this.pool);
  }

  of(toolId: string, providerId: string): ToolEvidence {
    const nowMs = this.clock.nowMs();
    const tool: Counted = this.known.get(toolSubject(toolId)) ?? noEvidence;
    const { breaker = closedBreaker } = this.known.get(providerSubject(providerId)) ?? {};
    return {
      ...fadedAt(tool, nowMs),
      admittedShare: Math.min(admittedShare(tool.breaker, nowMs), admittedShare(breaker, nowMs)),
    };
  }
}
