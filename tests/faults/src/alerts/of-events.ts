import { expect } from '@jest/globals';
import { killPart, startPart } from '@capability-router/tools-stack';
import { callOnce } from '../load.js';
import { BillingSession, endForgottenSessions, openVictim } from './billing-session.js';
import type { Stand } from '../stand.js';
import type { Cause } from './cause.js';
import { Operator } from './operator.js';

const GROUP = 'billing.usage-audit';
/** They read tables beside the event table. */
const OTHER_RELAYS = ['billing-relay-balances', 'billing-relay-ledger', 'identity-relay-security-log'];

const brokerIsDead: Cause = {
  what: 'the broker is dead, and calls go on',
  alerts: ['OutboxIsNotPublished'],
  // Calls are settled long after their end.
  afterwards: ['SettlementLags'],
  runbook: 'outbox-stalled',
  async begin(stand) {
    const account = await openVictim(stand);
    await killPart(stand.stack.directory, 'kafka');
    await callOnce(stand.origin, account);
    return {
      async look(operator) {
        expect(await operator.doctor('kafka', 'outbox execution')).toEqual([
          expect.stringMatching(/^failed kafka/),
          expect.stringMatching(/^failed outbox execution: \d+ events wait to be published/),
        ]);
      },
      mend: () => startPart(stand.stack.directory, 'kafka'),
    };
  },
};

const transactionIsLeftOpen: Cause = {
  what: 'a transaction that wrote something is left open, and what the ledger and the security log get later waits for it',
  alerts: ['OutboxIsNotPublished'],
  runbook: 'outbox-stalled',
  async begin(stand) {
    const { accountId } = await openVictim(stand);
    const session = await BillingSession.open(stand);
    await session.run('BEGIN');
    await session.run('CREATE TABLE by_hand ()');
    // No event tells of it: an entry of the ledger does, and one of the security log, which is in another database.
    await new Operator(stand).run('grants', 'add', accountId, '1', '--category', 'invite_reward');
    return {
      async look(operator) {
        expect(await operator.doctor('kafka', 'outbox billing', 'outbox identity')).toEqual([
          expect.stringMatching(/^ok kafka/),
          expect.stringMatching(/^failed outbox billing: .* by billing-relay-ledger, .* by billing-relay-balances, /),
          expect.stringMatching(
            /^failed outbox identity: \d+ events wait to be published by identity-relay-security-log/,
          ),
        ]);
        expect((await relaysThatWait(stand)).filter((relay) => OTHER_RELAYS.includes(relay))).toEqual(OTHER_RELAYS);
      },
      mend: () => endForgottenSessions(stand, 'outbox-stalled'),
    };
  },
};

/** Relays of which a replica tells that an event waits, sorted. */
async function relaysThatWait({ services }: Stand): Promise<string[]> {
  const told = await Promise.all(services.replicas.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()));
  const ages = told.join('').matchAll(/^event_outbox_oldest_seconds\{relay="(.+)"\} (.+)$/gm);
  return [...ages].flatMap(([, relay = '', seconds]) => (Number(seconds) > 0 ? [relay] : [])).toSorted();
}

const ledgerIsLocked: Cause = {
  what: 'a session that was forgotten locks the ledger, and calls go on',
  alerts: ['ConsumerIsBehind'],
  afterwards: ['SettlementLags'],
  runbook: 'consumer-lag',
  async begin(stand) {
    const account = await openVictim(stand);
    const session = await BillingSession.open(stand);
    await session.run('BEGIN');
    // It has written nothing: what has, anywhere in the cluster, keeps events from their topics, and no consumer hears of them.
    await session.run('LOCK TABLE ledger_entries IN SHARE MODE');
    await callOnce(stand.origin, account);
    return {
      mend: () => endForgottenSessions(stand, 'consumer-lag'),
    };
  },
};

const eventCannotBeHandled: Cause = {
  what: 'a constraint refuses the rows of an account, as of a build with a fault',
  alerts: ['AccountsAreParked'],
  runbook: 'parked-accounts',
  async begin(stand) {
    const { accountId, key } = await openVictim(stand);
    const session = await BillingSession.open(stand);
    await session.run(`ALTER TABLE usage_events ADD CONSTRAINT poison CHECK (account_id <> '${accountId}') NOT VALID`);
    await callOnce(stand.origin, { accountId, key });
    return {
      async look(operator) {
        expect(await operator.doctor('parked billing')).toEqual([expect.stringMatching(/^failed/)]);
        const { items } = (await operator.run('parked', 'list')) as { items: readonly Record<string, unknown>[] };
        for (const item of items) expect(item).toMatchObject({ group: GROUP, key: accountId });
        const shown = await operator.run('parked', 'show', String(items[0]?.['event_id']));
        expect(JSON.stringify(shown)).toContain('poison');
      },
      async mend(operator) {
        await session.run('ALTER TABLE usage_events DROP CONSTRAINT poison');
        await session.close();
        await operator.run('parked', 'replay', GROUP, accountId);
      },
    };
  },
};

export const causesOfEvents = [brokerIsDead, transactionIsLeftOpen, ledgerIsLocked, eventCannotBeHandled];
