import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, HoldReleases, LOGGER, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../config.js';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { interruptLapsed } from './interrupt-lapsed.js';

@Injectable()
export class InterruptLapsedTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(HoldReleases) private readonly holdReleases: HoldReleases,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: ExecutionConfig,
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
