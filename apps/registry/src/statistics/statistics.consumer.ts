import { topicNames } from '@capability-router/contracts';
import { OnEventBatch, type EventBatch, type EventBatchContext } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { LINGER_MS } from '../linger.js';
import { countExecutions } from './count-executions.js';
import type { StatisticsConfig } from './statistics-config.js';

@Controller()
export class StatisticsConsumer {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: StatisticsConfig,
  ) {}

  @OnEventBatch(topicNames.executions, { group: 'registry.statistics', lingerMs: LINGER_MS })
  count(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    return countExecutions(tx, events, this.clock, this.config.evidence.statistics.windowDays);
  }
}
