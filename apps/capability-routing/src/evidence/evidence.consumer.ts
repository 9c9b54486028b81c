import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { recordEvidence } from './record-evidence.js';

@Controller()
export class EvidenceConsumer {
  @OnEventBatch(topicNames.executions, { group: 'capability-routing.evidence' })
  record(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return recordEvidence(tx, events);
  }
}
