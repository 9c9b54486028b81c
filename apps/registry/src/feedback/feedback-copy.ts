import { ChangedRowsCopy, CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { WeightedTerm } from './domain/term-weight.js';
import type { FeedbackConfig } from './feedback-config.js';

interface FeedbackRow {
  tool_id: string;
  terms: readonly WeightedTerm[];
}

const none: readonly WeightedTerm[] = [];

/** The feedback terms of every tool in memory, in every replica. Always empty while feedback is switched off. */
@Injectable()
export class FeedbackCopy {
  private readonly terms = new Map<string, readonly WeightedTerm[]>();
  private readonly rows = new ChangedRowsCopy<FeedbackRow>(
    { table: 'tool_feedback', key: 'tool_id', columns: ['tool_id', 'terms'] },
    (rows) => this.apply(rows),
  );
  private changed = new Set<string>();

  private readonly enabled: boolean;

  constructor(@Inject(CONFIG) { evidence }: FeedbackConfig) {
    this.enabled = evidence.feedback.enabled;
  }

  /** Weightiest first. */
  get(toolId: string): readonly WeightedTerm[] {
    return this.terms.get(toolId) ?? none;
  }

  async load(pool: pg.Pool): Promise<void> {
    if (!this.enabled) return;
    await this.rows.load(pool);
    this.changed.clear();
  }

  /** Reads what changed. Resolves to the tools that have other terms now. */
  async refresh(pool: pg.Pool): Promise<string[]> {
    if (!this.enabled) return [];
    await this.rows.refresh(pool);
    const changed = [...this.changed];
    this.changed = new Set();
    return changed;
  }

  private apply(rows: readonly FeedbackRow[]): void {
    for (const { tool_id: toolId, terms } of rows) {
      if (terms.length === 0) this.terms.delete(toolId);
      else this.terms.set(toolId, terms);
      this.changed.add(toolId);
    }
  }
}
