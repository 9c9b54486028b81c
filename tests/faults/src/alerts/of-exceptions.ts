import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { callOnce, type LoadAccount } from '../load.js';
import type { Stand } from '../stand.js';
import { lockSettlement, openVictim } from './billing-session.js';
import type { Cause } from './cause.js';

/** One more than `ExceptionsWait` lets wait. */
const CALLS = 101;
const CALLS_AT_ONCE = 8;
const PAGE = 200;

const holdsAreLost: Cause = {
  what: "calls ended whose holds are not in billing's database, as after a backup of it that is older than theirs",
  alerts: ['CapturesFail', 'ExceptionsWait'],
  // The calls are settled once all of them have ended.
  perhaps: ['SettlementLags'],
  runbook: 'exceptions-wait',
  async begin(stand) {
    const account = await openVictim(stand);
    const session = await lockSettlement(stand);
    try {
      await callAll(stand, account);
      await session.run('UPDATE account_balances SET held_micro = 0 WHERE account_id = $1', [account.accountId]);
      await session.run('DELETE FROM holds WHERE account_id = $1', [account.accountId]);
      await session.run('COMMIT');
    } finally {
      await session.close();
    }
    return {
      async look(operator) {
        const { items } = (await operator.run('exceptions', 'list', '--limit', '50')) as {
          items: readonly { exception_id: string; kind: string }[];
        };
        expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['missing_hold']));
        const [first] = items;
        expect(await operator.run('exceptions', 'show', first?.exception_id ?? '')).toMatchObject({
          kind: 'missing_hold',
        });
        await operator.run('security-log', 'list', '--account', account.accountId);
      },
      async mend(operator) {
        const [first, ...others] = await openExceptions(stand, account.accountId);
        await operator.run('exceptions', 'write-off', first ?? '', '--note', 'the holds were lost');
        const decide = async (): Promise<void> => {
          for (let id = others.pop(); id !== undefined; id = others.pop()) await writeOff(stand, id);
        };
        await Promise.all(Array.from({ length: CALLS_AT_ONCE }, decide));
      },
    };
  },
};

async function callAll(stand: Stand, account: LoadAccount): Promise<void> {
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < CALLS) {
      begun += 1;
      expect(await callOnce(stand.origin, account)).toMatchObject({ success: true });
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, client));
}

const exceptionsOf = (stand: Stand): string => `${stand.origin}/admin/v1/exceptions`;
const headersOf = (stand: Stand): Record<string, string> => ({
  authorization: `Bearer ${stand.services.accounts.admin_key}`,
  'content-type': 'application/json',
});

async function openExceptions(stand: Stand, accountId: string): Promise<string[]> {
  const url = `${exceptionsOf(stand)}?state=open&account_id=${accountId}&page_size=${PAGE}`;
  const answer = await fetch(url, { headers: headersOf(stand) });
  const { data } = (await answer.json()) as { data: { items: readonly { exception_id: string }[] } };
  return data.items.map((item) => item.exception_id);
}

/** Does what the command line does, a hundred processes of which take a minute. */
async function writeOff(stand: Stand, id: string): Promise<void> {
  const decided = await fetch(`${exceptionsOf(stand)}/${id}/write-off`, {
    method: 'POST',
    headers: { ...headersOf(stand), 'idempotency-key': randomUUID() },
    body: JSON.stringify({ note: 'the holds were lost' }),
  });
  if (!decided.ok) throw new Error(`${id} was not written off: ${await decided.text()}`);
}

export const causesOfExceptions = [holdsAreLost];
