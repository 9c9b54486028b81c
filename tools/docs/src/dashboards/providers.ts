import * as units from '@grafana/grafana-foundation-sdk/units';
import { OF_RELEASE, type DashboardPlan } from './dashboard.js';

const latencyOf = (quantile: number): string =>
  `topk(10, histogram_quantile(${quantile}, sum by (le, provider_id) (rate(provider_call_duration_seconds_bucket{${OF_RELEASE}}[$__rate_interval]))))`;

export const providers: DashboardPlan = {
  uid: 'capability-router-providers',
  title: 'providers',
  description: 'How providers answer, and whether the built-in tools have processes enough.',
  rows: {
    Providers: [
      {
        title: 'Calls by provider',
        description: 'The ten most called; the 101st and further of a replica are "(others)".',
        unit: units.RequestsPerSecond,
        queries: {
          '{{provider_id}}': `topk(10, sum by (provider_id) (rate(provider_call_duration_seconds_count{${OF_RELEASE}}[$__rate_interval])))`,
        },
      },
      {
        title: 'Time of a call (p50)',
        description: 'Waiting and retries included.',
        unit: units.Seconds,
        queries: { '{{provider_id}}': latencyOf(0.5) },
      },
      {
        title: 'Time of a call (p99)',
        description: 'Waiting and retries included.',
        unit: units.Seconds,
        queries: { '{{provider_id}}': latencyOf(0.99) },
      },
      {
        title: 'Results by kind of provider',
        description: '"answered", or the fault; docs/reason-codes.md says what each means.',
        unit: units.RequestsPerSecond,
        queries: {
          '{{kind}} {{result}}': `sum by (kind, result) (rate(provider_calls_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Kept results',
        description: 'Calls of tools whose results may be kept: found, not found, or too late for an equal call.',
        unit: units.RequestsPerSecond,
        queries: {
          '{{result}}': `sum by (result) (rate(provider_cache_answers_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Hedged queries',
        description: 'Second attempts beside a slow first. Where few are won, the money is better saved.',
        unit: units.OpsPerSecond,
        queries: { '{{result}}': `sum by (result) (rate(plan_hedges_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
    ],
    'Built-in tools': [
      {
        title: 'Runs by result',
        description: 'Operations that were run, all tools together.',
        unit: units.OpsPerSecond,
        queries: { '{{result}}': `sum by (result) (rate(builtin_runs_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
      {
        title: 'Processor by tool',
        description: 'The ten tools that take the most; 1 is one whole processor.',
        unit: units.Short,
        queries: {
          '{{tool}}': `topk(10, sum by (tool) (rate(builtin_run_cpu_seconds_total{${OF_RELEASE}}[$__rate_interval])))`,
        },
      },
      {
        title: 'Mean time of a run',
        description: 'The ten slowest tools, without waiting and loading.',
        unit: units.Seconds,
        queries: {
          '{{tool}}': `topk(10, sum by (tool) (rate(builtin_run_seconds_total{${OF_RELEASE}}[$__rate_interval])) / sum by (tool) (rate(builtin_runs_total{${OF_RELEASE}}[$__rate_interval])))`,
        },
      },
      {
        title: 'Not begun',
        description: 'Calls that no process ran, by the reason; busy and waited: there are too few.',
        unit: units.OpsPerSecond,
        queries: { '{{why}}': `sum by (why) (rate(builtin_not_run_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
      {
        title: 'Processes',
        description: 'Processes that are there, and calls that wait for one.',
        unit: units.Short,
        queries: {
          processes: `sum(builtin_processes{${OF_RELEASE}})`,
          waiting: `sum(builtin_calls_queued{${OF_RELEASE}})`,
        },
      },
      {
        title: 'Memory by tool',
        description: 'The most resident memory of a process while it ran the tool; the ten largest.',
        unit: units.BytesIEC,
        queries: {
          '{{tool}}': `topk(10, max by (tool) (builtin_run_resident_bytes_max{${OF_RELEASE}}))`,
        },
      },
    ],
  },
};
