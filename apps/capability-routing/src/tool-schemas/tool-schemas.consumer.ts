import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { copyToolSchemas } from './copy-tool-schemas.js';

@Controller()
export class ToolSchemasConsumer {
  @OnEventBatch(topicNames.catalogue, { group: 'capability-routing.tool-schemas' })
  copy(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return copyToolSchemas(tx, events);
  }
}
