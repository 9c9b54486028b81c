import { topicNames } from '@capability-router/contracts';
import { OnEventBatch, type EventBatch, type EventBatchContext } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, noteErasedAccounts } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { LINGER_MS } from '../linger.js';

@Controller()
export class ErasuresConsumer {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  @OnEventBatch(topicNames.accounts, { group: 'registry.erasure', lingerMs: LINGER_MS })
  note(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return noteErasedAccounts(tx, events, this.clock);
  }
}
