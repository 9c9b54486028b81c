import { topicNames } from '@capability-router/contracts';
import { OnEventBatch } from '@capability-router/event-bus';
import type { EventBatch, EventBatchContext } from '@capability-router/event-bus';
import { Controller, Inject } from '@nestjs/common';
import { EVIDENCE } from '../evidence/evidence-context.js';
import type { EvidenceContext } from '../evidence/evidence-context.js';
import { LINGER_MS } from '../evidence/linger.js';
import { collectFeedback } from './collect-feedback.js';

@Controller()
export class FeedbackConsumer {
  constructor(@Inject(EVIDENCE) private readonly context: EvidenceContext) {}

  @OnEventBatch(topicNames.usageSettlements, { group: 'registry.feedback', lingerMs: LINGER_MS })
  collect(events: EventBatch, { tx }: EventBatchContext): Promise<void> {
    const { clock, feedback: policy, vocabulary } = this.context;
    return collectFeedback(tx, events, { clock, policy, vocabulary });
  }
}
