import { integer, type EnvValues } from '@capability-router/service-kit/config';
import type { StatisticsPolicy } from './domain/tool-statistics.js';

const MAX_WINDOW_DAYS = 90;
const MAX_SAMPLE_FLOOR = 10_000;

export const statisticsEnvSpec = {
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
};

/** The part of the registry's configuration that statistics need. */
export interface StatisticsConfig {
  readonly evidence: { readonly statistics: StatisticsPolicy };
}

export const toStatisticsPolicy = (values: EnvValues<typeof statisticsEnvSpec>): StatisticsPolicy => ({
  windowDays: values.REGISTRY_STATISTICS_WINDOW_DAYS,
  minSamples: values.REGISTRY_STATISTICS_MIN_SAMPLES,
  staleAfterDays: values.REGISTRY_STATISTICS_STALE_AFTER_DAYS,
});
