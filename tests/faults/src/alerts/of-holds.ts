import { expect } from '@jest/globals';
import { callOnce } from '../load.js';
import { dying } from '../stand.js';
import { BillingSession, openVictim } from './billing-session.js';
import type { Cause } from './cause.js';

/** In place of five minutes of waiting: the age is what the alert looks at. */
const PLACED_LONG_AGO = `
UPDATE holds SET placed_at = placed_at - interval '5 minutes' WHERE account_id = $1 AND state = 'open' RETURNING 1`;

const noReplicaOfExecution: Cause = {
  what: 'every replica of execution is dead, one of them with a call under way',
  alerts: ['HoldsStayOpen'],
  runbook: 'holds-stuck',
  async begin(stand) {
    const account = await openVictim(stand);
    await stand.arrange({ 'execution 0': dying('after-hold', 1), 'execution 1': 'stopped' });
    // The first one passes the point, at the second the process dies.
    await callOnce(stand.origin, account);
    await callOnce(stand.origin, account);
    const session = await BillingSession.open(stand);
    expect(await session.run(PLACED_LONG_AGO, [account.accountId])).not.toEqual([]);
    await session.close();
    return {
      async look() {
        // Nobody has told billing how the call ended.
        const said = await (await fetch(stand.services.replica('billing').metricsUrl)).text();
        expect(said).toMatch(/^billing_holds_awaiting_settlement 0$/m);
      },
      mend: () => stand.services.startReplica('execution', 0),
    };
  },
};

export const causesOfHolds = [noReplicaOfExecution];
