import { showVerification, type ShownVerification, type ToolContract } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { ChangedRowsCopy, CLOCK, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { KnownVerification } from './domain/known-verification.js';
import { requiredChecks } from './domain/required-checks.js';
import { verificationRows, type VerificationRow } from './verification.sql.js';

/** The findings of verification about every tool, in the memory of every replica: about two kilobytes each. */
@Injectable()
export class VerificationCopy {
  private readonly known = new Map<string, KnownVerification>();
  private readonly owedIds = new Set<string>();
  private readonly rows = new ChangedRowsCopy<VerificationRow>(verificationRows, (rows) => {
    for (const row of rows) {
      const known = toKnown(row);
      this.known.set(row.tool_id, known);
      if (known.requested || known.isUnjudged || known.claimedUntilMs > 0) this.owedIds.add(row.tool_id);
      else this.owedIds.delete(row.tool_id);
    }
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

  of(toolId: string): KnownVerification | undefined {
    return this.known.get(toolId);
  }

  /** Tools of which somebody has asked for a run that there has not been, that could judge nothing, or that has begun and not ended. */
  owed(): Iterable<string> {
    return this.owedIds;
  }

  /** As callers see it now. */
  shown(tool: ToolContract): ShownVerification {
    const nowMs = this.clock.nowMs();
    const known = this.known.get(tool.toolId);
    const running = known !== undefined && known.claimedUntilMs > nowMs;
    const subject = { toolVersion: tool.version, requiredChecks: requiredChecks(tool), running };
    return showVerification(known?.verdict, subject, nowMs);
  }

  /** ISO 8601; the time of the data when this version of the tool was verified last. */
  dataAsOf({ toolId, version }: ToolContract): string | undefined {
    const verdict = this.known.get(toolId)?.verdict;
    return verdict?.toolVersion === version ? verdict.dataAsOf : undefined;
  }
}

const toKnown = (row: VerificationRow): KnownVerification => ({
  requested: row.requested,
  triedVersion: row.tried_version ?? undefined,
  claimedUntilMs: row.claimed_until?.getTime() ?? 0,
  nextDueMs: row.next_due_at?.getTime() ?? 0,
  verdict: row.verdict ?? undefined,
  isUnjudged: row.problem !== null,
});
