import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { copyTools } from './copy-tools.js';

@Controller()
export class ToolCopiesConsumer {
  @OnEventBatch(topicNames.catalogue, { group: 'capability-routing.tools' })
  copy(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return copyTools(tx, events);
  }
}
