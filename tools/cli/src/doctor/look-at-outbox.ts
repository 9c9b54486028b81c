import { topics as allTopics } from '@capability-router/contracts';
import type pg from 'pg';
import type { Service } from '../deployment/deployment.js';
import { failed, lookAt, ok, type Finding } from './finding.js';
import { atLeast, MAX_WAIT_SECONDS } from './flow.sql.js';
import { readRelays, readUnpublished, type OutboxTable, type Unpublished } from './outbox.sql.js';

/** Looks at events that a service has recorded and not yet published. Only on Kafka: the embedded bus reads the tables in place. */
export const lookAtOutbox = (service: Service, pool: pg.Pool): Promise<Finding> =>
  lookAt(
    `outbox ${service}`,
    async () => {
      const check = `outbox ${service}`;
      const relays = await readRelays(pool);
      const waiting: (OutboxTable & Unpublished)[] = [];
      for (const outbox of outboxesOf(service)) {
        const after = relays.find(({ relay }) => relay === outbox.relay)?.position ?? '';
        waiting.push({ ...outbox, ...(await readUnpublished(pool, after, outbox)) });
      }
      const advice = `Look whether ${service} runs and reaches Kafka; it publishes what waits by itself.`;
      const stalled = waiting.filter(({ events, age }) => events > 0 && age > MAX_WAIT_SECONDS);
      if (stalled.length > 0) {
        const said = stalled.map(
          ({ relay, events, age }) =>
            `${atLeast(events)} events wait to be published by ${relay}, for ${age.toFixed(0)} s`,
        );
        return failed(check, said.join('; '), stalled.some(({ held }) => held) ? HELD_ADVICE : advice);
      }
      const idle = relays.filter((relay) => relay.idle).map(({ relay }) => relay);
      if (idle.length > 0) return failed(check, `nobody publishes: ${idle.join(', ')}`, advice);
      const count = waiting.reduce((sum, { events }) => sum + events, 0);
      return ok(check, count === 0 ? 'everything is published' : `${count} events are about to be published`);
    },
    'Bring the schema up to this build first.',
  );

const HELD_ADVICE =
  'They wait for a transaction that is open in this cluster of PostgreSQL: find it and end it (docs/runbooks/outbox-stalled.md).';

/** Its events, and the tables that are outboxes beside them. */
function outboxesOf(service: Service): OutboxTable[] {
  const topics = allTopics.filter(({ producer }) => producer === service).map(({ name }) => name);
  return [
    { relay: `${service}-relay`, table: 'events', recordedAt: 'recorded_at', topics },
    ...othersOf.filter(({ relay }) => relay.startsWith(`${service}-relay-`)),
  ];
}

const othersOf: readonly OutboxTable[] = [
  { relay: 'billing-relay-ledger', table: 'ledger_entries', recordedAt: 'created_at' },
  { relay: 'billing-relay-balances', table: 'ledger_entries', recordedAt: 'created_at' },
  { relay: 'identity-relay-security-log', table: 'security_log', recordedAt: 'recorded_at' },
];
