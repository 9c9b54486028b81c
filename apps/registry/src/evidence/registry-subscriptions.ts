import { topicNames } from '@capability-router/contracts';
import type { SharedSubscription } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { erasureSubscription } from '@capability-router/service-kit';
import { collectFeedback } from '../feedback/collect-feedback.js';
import type { FeedbackVocabulary } from '../feedback/domain/feedback-terms.js';
import { countExecutions } from '../statistics/count-executions.js';
import type { EvidenceConfig } from './evidence-config.js';

/** Milliseconds for a fuller batch: what is counted shows with the next refresh only. */
const LINGER_MS = 1_000;

export interface EvidenceReading extends EvidenceConfig {
  /** Default 1,000. */
  readonly lingerMs?: number;
}

/** What the registry consumes. The running service and the command that replays parked events handle it alike. */
export function registrySubscriptions(
  clock: Clock,
  { statistics, feedback: policy, lingerMs = LINGER_MS }: EvidenceReading,
  vocabulary: FeedbackVocabulary,
): SharedSubscription[] {
  return [
    {
      group: 'registry.statistics',
      topics: [topicNames.executions],
      lingerMs,
      handle: (events, tx) => countExecutions(tx, events, clock, statistics.windowDays),
    },
    {
      group: 'registry.feedback',
      topics: [topicNames.usageSettlements],
      lingerMs,
      handle: (events, tx) => collectFeedback(tx, events, { clock, policy, vocabulary }),
    },
    erasureSubscription('registry.erasure', clock),
  ];
}
