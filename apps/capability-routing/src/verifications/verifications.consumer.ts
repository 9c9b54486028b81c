import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { recordVerdicts } from './record-verdicts.js';

@Controller()
export class VerificationsConsumer {
  @OnEventBatch(topicNames.verifications, { group: 'capability-routing.tool-verifications' })
  record(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return recordVerdicts(tx, events);
  }
}
