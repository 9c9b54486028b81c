import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, noteErasedAccounts } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';

/** Milliseconds for a fuller batch: the task that erases looks every few seconds only. */
const LINGER_MS = 1_000;

@Controller()
export class ErasuresConsumer {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnEventBatch(topicNames.accounts, { group: 'execution.erasure', lingerMs: LINGER_MS })
  note(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return noteErasedAccounts(tx, events, this.clock);
  }
}
