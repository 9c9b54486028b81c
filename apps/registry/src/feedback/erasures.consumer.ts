import { topicNames } from '@capability-router/contracts';
import { OnEventBatch } from '@capability-router/event-bus';
import type { EventBatch, EventBatchContext } from '@capability-router/event-bus';
import { noteErasedAccounts } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { EVIDENCE } from '../evidence/evidence-context.js';
import type { EvidenceContext } from '../evidence/evidence-context.js';

@Controller()
export class ErasuresConsumer {
  constructor(@Inject(EVIDENCE) private readonly context: EvidenceContext) {}

  @OnEventBatch(topicNames.accounts, { group: 'registry.erasure' })
  note(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return noteErasedAccounts(tx, events, this.context.clock);
  }
}
