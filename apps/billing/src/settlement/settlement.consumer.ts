import { topicNames } from '@capability-router/contracts';
import { type EventBatch, type EventBatchContext, OnEventBatch } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { BillingConfig } from '../config.js';
import { LANES } from '../lanes.js';
import { isTerminal } from './domain/request-settlement.js';
import { settleExecutions } from './settle-executions.js';
import { SettlementLag } from './settlement-lag.js';

const GROUP = 'billing.settlement';

/** How many events one transaction settles is configured. */
export const settlementSettings = ({ settlementBatch }: Pick<BillingConfig, 'settlementBatch'>) => ({
  [GROUP]: { maxBatch: settlementBatch },
});

@Controller()
export class SettlementConsumer {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SettlementLag) private readonly lag: SettlementLag,
  ) {}

  @OnEventBatch([topicNames.executions, topicNames.searches], { group: GROUP, complete: true, lanes: LANES })
  async settle(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    await settleExecutions(tx, events, this.clock);
    const ends = events.filter(isTerminal).map((event) => Date.parse(event.time));
    if (ends.length > 0) this.lag.settled(this.clock.nowMs() - Math.min(...ends));
  }
}
