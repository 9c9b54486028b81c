import { topicNames } from '@capability-router/contracts';
import type { SharedSubscription } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { billingErasures } from './erasure/note-erasures.js';
import { applyAccountEvents } from './grants/account-events.js';
import { isTerminal } from './settlement/decide-settlement.js';
import { settleExecutions } from './settlement/settle-executions.js';
import { projectUsage } from './usage-audit/project-usage.js';

/** Key ranges at the same time on the embedded bus: while one waits for its commit, the other works. */
const LANES = 2;

/**
 * What billing consumes. The running service and the command that replays parked events handle it alike.
 * @param settled is told, for each batch, the milliseconds from the end of its oldest call to its settlement
 */
export function billingSubscriptions(
  clock: Clock,
  settlementBatch: number,
  settled: (lagMs: number) => void = () => undefined,
): SharedSubscription[] {
  return [
    {
      group: 'billing.accounts',
      topics: [topicNames.accounts],
      complete: true,
      handle: (events, tx) => applyAccountEvents(tx, events, clock),
    },
    {
      group: 'billing.settlement',
      topics: [topicNames.executions, topicNames.searches],
      maxBatch: settlementBatch,
      complete: true,
      lanes: LANES,
      async handle(events, tx) {
        await settleExecutions(tx, events, clock);
        const ends = events.filter(isTerminal).map((event) => Date.parse(event.time));
        if (ends.length > 0) settled(clock.nowMs() - Math.min(...ends));
      },
    },
    {
      group: 'billing.usage-audit',
      topics: [topicNames.executions, topicNames.searches, topicNames.usageSettlements, topicNames.usageRecords],
      complete: true,
      lanes: LANES,
      handle: (events, tx) => projectUsage(tx, events),
    },
    billingErasures(clock),
  ];
}
