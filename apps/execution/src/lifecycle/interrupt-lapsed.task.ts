import type { Clock } from '@capability-router/kernel';
import { HoldReleases, Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { EXECUTION_CLOCK, EXECUTION_CONFIG, EXECUTION_LOGGER, EXECUTION_POOL } from '../tokens.js';
import { interruptLapsed } from './interrupt-lapsed.js';

@Injectable()
export class InterruptLapsedTask {
  constructor(
    @Inject(EXECUTION_POOL) private readonly pool: pg.Pool,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(HoldReleases) private readonly holdReleases: HoldReleases,
    @Inject(EXECUTION_CLOCK) private readonly clock: Clock,
    @Inject(EXECUTION_LOGGER) private readonly logger: Logger,
    @Inject(EXECUTION_CONFIG) private readonly config: ExecutionConfig,
  ) {}

  @Periodic<InterruptLapsedTask>({
    name: 'interruption of dead executions',
    everyMs: ({ config }) => config.interruptIntervalMs,
  })
  async interrupt(): Promise<void> {
    const { pool, journal, holdReleases, clock } = this;
    const interrupted = await interruptLapsed({ pool, journal, holdReleases, clock });
    if (interrupted > 0) this.logger.warn({ interrupted }, 'executions without a living owner were interrupted');
  }
}
