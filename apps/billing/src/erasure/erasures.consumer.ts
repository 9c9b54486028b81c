import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { noteErasures } from './note-erasures.js';

@Controller()
export class ErasuresConsumer {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnEventBatch(topicNames.accounts, { group: 'billing.erasure' })
  note(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return noteErasures(tx, events, this.clock);
  }
}
