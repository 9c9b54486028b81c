import type { ExecutionFacts } from '@capability-router/contracts';
import { uuidv7, type Clock } from '@capability-router/kernel';
import { CLOCK, HoldReleases, LOGGER } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { holdThatMayBe } from '../journal/domain/ends.js';
import type { ExecutionEnd, Payloads } from '../journal/domain/execution-end.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { recordEnd } from '../journal/record-end.js';
import type { Held } from './domain/hold-outcome.js';

/** Records how started executions end, and gives back at once what was held for those that charge nothing. */
@Injectable()
export class EndRecorder {
  constructor(
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(HoldReleases) private readonly releases: HoldReleases,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * `held`: what is given back once an end that charges nothing is durable; 'unknown' where nobody knows whether it was placed.
   * False if another end won.
   */
  async record(end: ExecutionEnd, payloads?: Payloads, held?: Held | 'unknown'): Promise<boolean> {
    const won = await recordEnd(this.journal, end, uuidv7(this.clock.nowMs()), payloads, this.logger);
    // An end that charges something is left to settlement.
    const isFree = end.data.bill.listAmountMicroCredits === '0';
    if (!won || !isFree || held === undefined) return won;
    await this.giveBack(end.data, held);
    return won;
  }

  /** To be called once an end that charges nothing is on record. Never rejects. */
  giveBack(facts: ExecutionFacts, held: Held | 'unknown'): Promise<void> {
    const mayBe = held === 'unknown' ? holdThatMayBe(facts) : undefined;
    return mayBe === undefined ? this.releases.release(facts.executionId) : this.releases.forestall(mayBe);
  }
}
