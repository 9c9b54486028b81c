import { topicNames } from '@capability-router/contracts';
import { OnEventBatch, type EventBatch, type EventBatchContext } from '@capability-router/event-bus';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG } from '@capability-router/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { LINGER_MS } from '../linger.js';
import { FEEDBACK_VOCABULARY } from '../tokens.js';
import { collectFeedback } from './collect-feedback.js';
import type { FeedbackVocabulary } from './domain/feedback-terms.js';
import type { FeedbackConfig } from './feedback-config.js';

@Controller()
export class FeedbackConsumer {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: FeedbackConfig,
    @Inject(FEEDBACK_VOCABULARY) private readonly vocabulary: FeedbackVocabulary,
  ) {}

  @OnEventBatch(topicNames.usageSettlements, { group: 'registry.feedback', lingerMs: LINGER_MS })
  collect(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    const { clock, config, vocabulary } = this;
    return collectFeedback(tx, events, { clock, policy: config.evidence.feedback, vocabulary });
  }
}
