import * as units from '@grafana/grafana-foundation-sdk/units';
import { OF_RELEASE, type DashboardPlan } from './dashboard.js';

export const kafka: DashboardPlan = {
  uid: 'capability-router-kafka',
  title: 'Kafka',
  description: 'Events on their way from the outbox of one service to the consumers of the others.',
  rows: {
    'To the topics': [
      {
        title: 'Oldest event that is not published',
        description: 'It grows while no broker answers; calls go on, and are settled later.',
        unit: units.Seconds,
        queries: { '{{relay}}': `max by (relay) (event_outbox_oldest_seconds{${OF_RELEASE}})` },
      },
    ],
    'From the topics': [
      {
        title: 'Oldest event that is not handled',
        description: 'By consumer group. It grows while a batch is tried again and again.',
        unit: units.Seconds,
        queries: { '{{group}}': `max by (group) (event_consumer_lag_seconds{${OF_RELEASE}})` },
      },
      {
        title: 'Events behind',
        description: 'By consumer group and topic, all partitions together.',
        unit: units.Short,
        queries: { '{{group}} {{topic}}': `sum by (group, topic) (event_consumer_lag{${OF_RELEASE}})` },
      },
      {
        title: 'Partitions that are furthest behind',
        description:
          'One far above the others: an account there has more events than the rest, or one cannot be handled.',
        unit: units.Short,
        queries: {
          '{{group}} {{topic}} {{partition}}': `topk(10, max by (group, topic, partition) (event_consumer_lag{${OF_RELEASE}}))`,
        },
      },
      {
        title: 'Events that wait behind a parked one',
        description: 'By consumer group: caprouter parked list.',
        unit: units.Short,
        queries: { '{{group}}': `max by (group) (billing_parked_events{${OF_RELEASE}})` },
      },
      {
        title: 'Revocations that were skipped',
        description: 'Events of revoked credentials that a replica of the gateway could not apply; above 0 is a bug.',
        unit: units.Short,
        queries: {
          '{{topic}}': `sum by (topic) (increase(gateway_events_skipped_total{${OF_RELEASE}}[$__rate_interval]))`,
        },
      },
    ],
  },
};
