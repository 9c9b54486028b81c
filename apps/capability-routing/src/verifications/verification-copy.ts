import {
  showVerification,
  unconditionalChecks,
  verificationStatusAt,
  type ShownVerification,
  type ToolVerification,
  type VerificationStatus,
} from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { ChangedRowsCopy, CLOCK, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { verdictRows, type VerdictRow } from './tool-verifications.sql.js';

/** The part of a tool's verification that decisions need. */
export interface VerifiedTool {
  readonly verification: VerificationStatus;
  /** Milliseconds; the age of the data when the tool was verified, where that is known. */
  readonly dataAgeMs: number | undefined;
}

/** The verdicts about all tools in memory, in every replica: about two kilobytes each. */
@Injectable()
export class VerificationCopy {
  private readonly verdicts = new Map<string, ToolVerification>();
  private readonly rows = new ChangedRowsCopy<VerdictRow>(verdictRows, (rows) => {
    for (const { tool_id: toolId, verdict } of rows) this.verdicts.set(toolId, verdict);
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

  of(toolId: string, toolVersion: number): VerifiedTool {
    const verdict = this.verdicts.get(toolId);
    const verification = verificationStatusAt(verdict, { toolVersion, running: false }, this.clock.nowMs());
    return { verification, dataAgeMs: verdict?.toolVersion === toolVersion ? dataAgeOf(verdict) : undefined };
  }

  /** As callers see it now. */
  shown(toolId: string, toolVersion: number): ShownVerification {
    const subject = { toolVersion, requiredChecks: unconditionalChecks, running: false };
    return showVerification(this.verdicts.get(toolId), subject, this.clock.nowMs());
  }

  /** ISO 8601; the time of the data when this version of the tool was verified. */
  dataAsOf(toolId: string, toolVersion: number): string | undefined {
    const verdict = this.verdicts.get(toolId);
    return verdict?.toolVersion === toolVersion ? verdict.dataAsOf : undefined;
  }
}

/** As it was found: a provider whose data is always a minute old does not grow stale between two runs. */
function dataAgeOf({ dataAsOf, recordedAt }: ToolVerification): number | undefined {
  return dataAsOf === undefined ? undefined : Math.max(0, Date.parse(recordedAt) - Date.parse(dataAsOf));
}
