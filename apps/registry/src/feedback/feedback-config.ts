import { flag, integer, type EnvValues } from '@capability-router/service-kit/config';
import type { FeedbackPolicy } from './domain/term-weight.js';

const MAX_HALF_LIFE_DAYS = 365;

export const feedbackEnvSpec = {
  SEARCH_FEEDBACK_ENABLED: flag({
    desc: 'Whether searches that led to a charged call help later searches. Off: nothing is collected and nothing is used.',
    default: true,
  }),
  SEARCH_FEEDBACK_HALF_LIFE_DAYS: integer({
    desc: 'Days after which such a search counts half; after six times as long it is removed.',
    min: 1,
    max: MAX_HALF_LIFE_DAYS,
    default: 30,
  }),
};

/** The part of the registry's configuration that feedback needs. */
export interface FeedbackConfig {
  readonly evidence: { readonly feedback: FeedbackPolicy };
}

export const toFeedbackPolicy = (values: EnvValues<typeof feedbackEnvSpec>): FeedbackPolicy => ({
  enabled: values.SEARCH_FEEDBACK_ENABLED,
  halfLifeDays: values.SEARCH_FEEDBACK_HALF_LIFE_DAYS,
});
