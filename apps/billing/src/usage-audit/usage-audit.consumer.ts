import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import { Controller } from '@nestjs/common';
import { LANES } from '../lanes.js';
import { projectUsage } from './project-usage.js';

@Controller()
export class UsageAuditConsumer {
  @OnEventBatch([topicNames.executions, topicNames.searches, topicNames.usageSettlements, topicNames.usageRecords], {
    group: 'billing.usage-audit',
    complete: true,
    lanes: LANES,
  })
  project(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return projectUsage(tx, events);
  }
}
