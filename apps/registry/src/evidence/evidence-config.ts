import type { EnvValues } from '@capability-router/service-kit/config';
import { feedbackEnvSpec, toFeedbackPolicy, type FeedbackConfig } from '../feedback/feedback-config.js';
import { statisticsEnvSpec, toStatisticsPolicy, type StatisticsConfig } from '../statistics/statistics-config.js';

export const evidenceEnvSpec = { ...statisticsEnvSpec, ...feedbackEnvSpec };

type Policies = StatisticsConfig['evidence'] & FeedbackConfig['evidence'];

export interface EvidenceConfig extends Policies {
  /** Milliseconds from a counted call to a summary, and to every replica's copy; 5,000 where absent. */
  readonly refreshIntervalMs?: number;
}

export const toEvidenceConfig = (values: EnvValues<typeof evidenceEnvSpec>): EvidenceConfig => ({
  statistics: toStatisticsPolicy(values),
  feedback: toFeedbackPolicy(values),
});
