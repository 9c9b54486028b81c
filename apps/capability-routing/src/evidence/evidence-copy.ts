import type { Clock } from '@capability-router/kernel';
import { ChangedRowsCopy, CLOCK, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { noEvidence, type Counted } from './domain/evidence.js';
import { providerSubject, toolSubject } from './domain/subject.js';
import { toolEvidenceAt, type ToolEvidence } from './domain/tool-evidence.js';
import { countedOf, countedRows, type CountedRow } from './evidence.sql.js';

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

  /** As it is for requests of the account. */
  of(toolId: string, providerId: string, accountId: string): ToolEvidence {
    const knownOf = (subject: string): Counted => this.known.get(subject) ?? noEvidence;
    const [tool, provider] = [knownOf(toolSubject(toolId)), knownOf(providerSubject(providerId))];
    return toolEvidenceAt(tool, provider, this.clock.nowMs(), accountId);
  }
}
