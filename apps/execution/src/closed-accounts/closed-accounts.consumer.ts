import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { noteClosedAccounts } from './note-closed-accounts.js';

/** Hears from identity which accounts were closed. */
@Controller()
export class ClosedAccountsConsumer {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnEventBatch(topicNames.accounts, { group: 'execution.closed-accounts' })
  note(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return noteClosedAccounts(tx, events, this.clock);
  }
}
