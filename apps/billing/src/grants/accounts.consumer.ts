import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { applyAccountEvents } from './account-events.js';

@Controller()
export class AccountsConsumer {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnEventBatch(topicNames.accounts, { group: 'billing.accounts', complete: true })
  apply(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return applyAccountEvents(tx, events, this.clock);
  }
}
