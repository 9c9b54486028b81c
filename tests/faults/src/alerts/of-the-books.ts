import { expect } from '@jest/globals';
import { BillingSession, endForgottenSessions, openVictim } from './billing-session.js';
import type { Cause } from './cause.js';

const balanceIsChanged: Cause = {
  what: 'somebody changes a balance beside the services',
  alerts: ['BooksDoNotAddUp', 'AccountsBreakAnInvariant'],
  runbook: 'books-differ',
  async begin(stand) {
    const { accountId } = await openVictim(stand);
    const session = await BillingSession.open(stand);
    const add = (micro: number): Promise<unknown> =>
      session.run('UPDATE account_balances SET balance_micro = balance_micro + $2 WHERE account_id = $1', [
        accountId,
        micro,
      ]);
    await add(1);
    return {
      async look(operator) {
        const { findings } = await operator.run('ledger', 'verify');
        expect(JSON.stringify(findings)).toContain(accountId);
        const { differences } = await operator.run('reconcile', '--from', new Date(stand.sinceMs).toISOString());
        expect(differences).toEqual([]);
        expect(await operator.doctor('invariants')).toEqual([expect.stringMatching(`^failed.*${accountId}`)]);
      },
      async mend(operator) {
        await operator.run('accounts', 'suspend', accountId);
        await add(-1);
        await session.close();
        expect(await operator.run('ledger', 'verify')).toMatchObject({ findings: [] });
        await operator.run('accounts', 'resume', accountId);
      },
    };
  },
};

/** The check is compared by `comparedAt`: eleven minutes ago stands for a session that has had the row for so long. */
const COMPARED_LONG_AGO = `
UPDATE background_checks SET state = jsonb_set(state, '{comparedAt}', to_jsonb(now() - interval '11 minutes'))
 WHERE check_name = 'conservation'`;
const HOLD_THE_CHECK = `
SELECT (state->>'comparedAt')::timestamptz < now() - interval '10 minutes' AS old FROM background_checks
 WHERE check_name = 'conservation' FOR UPDATE`;

const checksAreLockedOut: Cause = {
  what: 'a session that was forgotten holds the row of the check',
  alerts: ['BooksAreNotChecked'],
  runbook: 'books-differ',
  async begin(stand) {
    const session = await BillingSession.open(stand);
    // The check may run between the two.
    for (let old = false; !old;) {
      await session.run('ROLLBACK');
      await session.run(COMPARED_LONG_AGO);
      await session.run('BEGIN');
      old = (await session.run(HOLD_THE_CHECK))[0]?.['old'] === true;
    }
    return {
      look: async (operator) => expect(await operator.doctor('invariants')).toEqual([expect.stringMatching(/^ok/)]),
      mend: () => endForgottenSessions(stand, 'books-differ'),
    };
  },
};

const rowsAreOfAnOlderBuild: Cause = {
  what: 'the rows of a read model are those of an older build',
  alerts: ['ProjectionIsBehind'],
  runbook: 'projection-behind',
  async begin(stand) {
    const session = await BillingSession.open(stand);
    await session.run('UPDATE projections SET version = version - 1');
    await session.close();
    return {
      async mend(operator) {
        await operator.run('projections', 'rebuild', 'usage-audit');
      },
    };
  },
};

export const causesOfTheBooks = [balanceIsChanged, checksAreLockedOut, rowsAreOfAnOlderBuild];
