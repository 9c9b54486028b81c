import { flag, integer } from '@capability-router/service-kit/config';
import type { EnvValues } from '@capability-router/service-kit/config';
import type { FeedbackPolicy } from '../feedback/domain/term-weight.js';
import type { StatisticsPolicy } from '../statistics/domain/tool-statistics.js';

const MAX_WINDOW_DAYS = 90;
const MAX_SAMPLE_FLOOR = 10_000;
const MAX_HALF_LIFE_DAYS = 365;

export const evidenceEnvSpec = {
  REGISTRY_STATISTICS_WINDOW_DAYS: integer({
    desc: 'Days of calls from which success rates and latencies of tools are computed; older ones are removed.',
    min: 1,
    max: MAX_WINDOW_DAYS,
    default: 30,
  }),
  REGISTRY_STATISTICS_MIN_SAMPLES: integer({
    desc: 'Calls in the window below which no rate and no latency of a tool is told.',
    min: 1,
    max: MAX_SAMPLE_FLOOR,
    default: 20,
  }),
  REGISTRY_STATISTICS_STALE_AFTER_DAYS: integer({
    desc: 'Days without a call after which the statistics of a tool are marked stale.',
    min: 1,
    max: MAX_WINDOW_DAYS,
    default: 7,
  }),
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

export interface EvidenceConfig {
  readonly statistics: StatisticsPolicy;
  readonly feedback: FeedbackPolicy;
  /** Milliseconds from a counted call to a summary, and to every replica's copy; 5,000 where absent. */
  readonly refreshIntervalMs?: number;
}

export const toEvidenceConfig = (values: EnvValues<typeof evidenceEnvSpec>): EvidenceConfig => ({
  statistics: {
    windowDays: values.REGISTRY_STATISTICS_WINDOW_DAYS,
    minSamples: values.REGISTRY_STATISTICS_MIN_SAMPLES,
    staleAfterDays: values.REGISTRY_STATISTICS_STALE_AFTER_DAYS,
  },
  feedback: {
    enabled: values.SEARCH_FEEDBACK_ENABLED,
    halfLifeDays: values.SEARCH_FEEDBACK_HALF_LIFE_DAYS,
  },
});
