import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { followCatalogue } from './follow-catalogue.js';

@Controller()
export class DeclaredCapabilitiesConsumer {
  @OnEventBatch(topicNames.catalogue, { group: 'capability-routing.declared-capabilities' })
  follow(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return followCatalogue(tx, events);
  }
}
