import * as units from '@grafana/grafana-foundation-sdk/units';
import { OF_RELEASE, type DashboardPlan } from './dashboard.js';

const gateway = `${OF_RELEASE},service="gateway"`;
const latencyOf = (quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (le) (rate(http_request_duration_seconds_bucket{${gateway}}[$__rate_interval])))`;

export const overview: DashboardPlan = {
  uid: 'capability-router-overview',
  title: 'overview',
  description: 'Requests as clients see them, how calls end, and whether a service is short of something.',
  rows: {
    Requests: [
      {
        title: 'Requests by status',
        description: 'Answers of the gateway. A 503 says that a client may try again.',
        unit: units.RequestsPerSecond,
        queries: {
          '{{status}}': `sum by (status) (rate(http_request_duration_seconds_count{${gateway}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Time to the answer',
        description: 'Over all routes. A call lasts as long as its provider.',
        unit: units.Seconds,
        queries: { p50: latencyOf(0.5), p99: latencyOf(0.99) },
      },
      {
        title: 'Slowest routes (p99)',
        description: 'The ten slowest routes of the gateway.',
        unit: units.Seconds,
        queries: {
          '{{method}} {{route}}': `topk(10, histogram_quantile(0.99, sum by (le, method, route) (rate(http_request_duration_seconds_bucket{${gateway}}[$__rate_interval]))))`,
        },
      },
      {
        title: 'Failed answers',
        description: 'Share of answers with 500 and above.',
        unit: units.PercentUnit,
        queries: {
          failed: `sum(rate(http_request_duration_seconds_count{${gateway},status=~"5.."}[$__rate_interval])) / sum(rate(http_request_duration_seconds_count{${gateway}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Requests that were shed',
        description:
          'Refused because MAX_REQUESTS_IN_FLIGHT were under way. Services behind the gateway are slow, or it has too few replicas.',
        unit: units.RequestsPerSecond,
        queries: { shed: `sum(rate(gateway_requests_shed_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
      {
        title: 'Credentials',
        description: 'Credentials that a replica knew, and those that it asked identity about.',
        unit: units.RequestsPerSecond,
        queries: {
          known: `sum(rate(gateway_credential_cache_hits_total{${OF_RELEASE}}[$__rate_interval]))`,
          'asked: {{result}}': `sum by (result) (rate(gateway_credential_lookups_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
    ],
    Calls: [
      {
        title: 'Executions by outcome',
        description: 'Each counted once, by the replica that wrote its end.',
        unit: units.OpsPerSecond,
        queries: { '{{outcome}}': `sum by (outcome) (rate(executions_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
      {
        title: 'Executions by reason',
        description: 'The ten most frequent reason codes; docs/reason-codes.md says what each means.',
        unit: units.OpsPerSecond,
        queries: {
          '{{reason}}': `topk(10, sum by (reason) (rate(executions_total{${OF_RELEASE}}[$__rate_interval])))`,
        },
      },
      {
        title: 'Credits billed',
        description: 'Of the bills, before their settlement: the daily free allowance may cover a part.',
        unit: units.Short,
        queries: { 'credits a second': `sum(rate(executions_billed_credits_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
    ],
    Services: [
      {
        title: 'Processor',
        description: 'By service, all replicas together; 1 is one whole processor.',
        unit: units.Short,
        queries: {
          '{{component}}': `sum by (component) (rate(process_cpu_seconds_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Memory',
        description: 'Resident bytes of the largest replica.',
        unit: units.BytesIEC,
        queries: { '{{component}}': `max by (component) (process_resident_memory_bytes{${OF_RELEASE}})` },
      },
      {
        title: 'Event loop (p99)',
        description: 'How late timers are: above some tens of milliseconds a replica has too much to do.',
        unit: units.Seconds,
        queries: { '{{component}}': `max by (component) (nodejs_eventloop_lag_p99_seconds{${OF_RELEASE}})` },
      },
      {
        title: 'Database connections in use',
        description: 'Share of the pool, of the fullest replica.',
        unit: units.PercentUnit,
        queries: {
          '{{service}}': `max by (service) (database_connections{${OF_RELEASE},state="in_use"} / ignoring (state) database_connections_max{${OF_RELEASE}})`,
        },
      },
      {
        title: 'Waiting for a connection',
        description: 'Statements and transactions; above 0 for long: *_DATABASE_POOL_SIZE is too small.',
        unit: units.Short,
        queries: { '{{service}}': `sum by (service) (database_connections_awaited{${OF_RELEASE}})` },
      },
      {
        title: 'Work in the background that fails',
        description: 'Rounds that failed; they run again, and the log has each at level error.',
        unit: units.OpsPerSecond,
        queries: {
          '{{service}} {{task}}': `sum by (service, task) (rate(periodic_task_duration_seconds_count{${OF_RELEASE},result="failed"}[$__rate_interval])) > 0`,
        },
      },
      {
        title: 'Replicas by version',
        description: 'Two versions at one time: an update is under way.',
        unit: units.Short,
        queries: { '{{version}} on Node {{node}}': `count by (version, node) (build_info{${OF_RELEASE}})` },
      },
      {
        title: 'Mails',
        description: 'Some that wait for minutes: the mail server is away, or refuses to log in.',
        unit: units.Short,
        queries: {
          waiting: `max(identity_mails_waiting{${OF_RELEASE}})`,
          '{{outcome}}': `sum by (outcome) (increase(identity_mail_attempts_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Keys of trusted issuers',
        description: 'Readings that fail: after a day without its keys, tokens of the issuer are answered with 503.',
        unit: units.Short,
        queries: {
          '{{issuer}} {{outcome}}': `sum by (issuer, outcome) (increase(identity_external_issuer_key_reads_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
      {
        title: 'Reports that the security log misses',
        description: 'Refused requests of too many kinds in a minute: somebody hides something, or a client is broken.',
        unit: units.Short,
        queries: {
          dropped: `sum(increase(gateway_security_reports_dropped_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
    ],
  },
};
