import { uuidv7, type Clock } from '@capability-router/kernel';
import { CLOCK, HoldReleases, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { holdThatMayBe } from './domain/ends.js';
import type { ExecutionEnd } from './domain/execution-end.js';
import { ExecutionJournal } from './execution-journal.js';
import { recordEnd } from './record-end.js';

/** Executions being ended at one time; beyond it they are left to the sweeper. */
const MAX_ENDING = 1_000;

/**
 * Starts of which nobody knows whether they are on record, because the database did not answer. Their callers were told
 * that nothing was run, so each gets an end that says the same: whatever is on record, it is closed, and its hold is
 * released or forestalled. What cannot be ended is left to the sweeper.
 */
@Injectable()
export class UncertainStarts {
  private ending = 0;

  constructor(
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(HoldReleases) private readonly holdReleases: Pick<HoldReleases, 'forestall'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** In the background. */
  end(end: ExecutionEnd): void {
    if (this.ending >= MAX_ENDING) return;
    this.ending += 1;
    this.record(end)
      .catch((err: unknown) =>
        this.logger.error({ err, executionId: end.data.executionId }, 'an uncertain start is left to the sweeper'),
      )
      .finally(() => (this.ending -= 1));
  }

  private async record(end: ExecutionEnd): Promise<void> {
    const hold = holdThatMayBe(end.data);
    // Whoever wrote another end gives back what was held.
    if ((await this.isRecorded(end)) && hold !== undefined) await this.holdReleases.forestall(hold);
  }

  private async isRecorded(end: ExecutionEnd): Promise<boolean> {
    const second = (): Promise<boolean> =>
      recordEnd(this.journal, end, uuidv7(this.clock.nowMs()), undefined, this.logger);
    if ((await second()) || (await this.journal.endFirst(end))) return true;
    // The start was written between the two, or somebody else ended it.
    return second();
  }
}
