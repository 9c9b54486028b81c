import { topicNames } from '@capability-router/contracts';
import { OnEventBatch } from '@capability-router/event-bus';
import type { EventBatch, EventBatchContext } from '@capability-router/event-bus';
import { Controller, Inject } from '@nestjs/common';
import { EVIDENCE } from '../evidence/evidence-context.js';
import type { EvidenceContext } from '../evidence/evidence-context.js';
import { LINGER_MS } from '../evidence/linger.js';
import { countExecutions } from './count-executions.js';

@Controller()
export class StatisticsConsumer {
  constructor(@Inject(EVIDENCE) private readonly context: EvidenceContext) {}

  @OnEventBatch(topicNames.executions, { group: 'registry.statistics', lingerMs: LINGER_MS })
  count(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    const { clock, statistics } = this.context;
    return countExecutions(tx, events, clock, statistics.windowDays);
  }
}
