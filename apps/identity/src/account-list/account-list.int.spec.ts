/** @postgres-versions The plan of a page decides whether it stays fast. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { planOf } from '@capability-router/event-store/testing';
import { ManualClock } from '@capability-router/kernel';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
const ACCOUNTS = 20_000;
const idOf = (index: number): string => `acc_${String(index).padStart(32, '0')}`;

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
  // Every tenth is suspended, every hundredth is blocked, and names repeat in another case.
  await identity.database.owner.query(
    `INSERT INTO accounts (account_id, kind, status, payment_required, name, email, opened_at)
     SELECT 'acc_' || lpad(i::text, 32, '0'), 'formal', CASE WHEN i % 10 = 0 THEN 'suspended' ELSE 'active' END, i % 100 = 1,
            CASE WHEN i % 2 = 0 THEN 'Name ' ELSE 'name ' END || lpad((i / 2)::text, 5, '0'), 'a' || i || '@example.org', now()
       FROM generate_series(1, ${ACCOUNTS}) AS i`,
  );
  await identity.database.owner.query('ANALYZE accounts');
});
afterAll(() => identity.stop());

const list = (query: string, account = admin): Promise<Answer> =>
  identity.call({ method: 'GET', url: `/admin/v1/accounts${query}`, account });

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly next_cursor?: string;
}
const pageOf = async (query: string): Promise<Page> => {
  const answer = await list(query);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.body['data'] as Page;
};
const idsIn = ({ items }: Page): unknown[] => items.map((item) => item['account_id']);
/** All pages of a list, at most ten. */
async function idsOf(query: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await pageOf(`${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    ids.push(...idsIn(page));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  return ids;
}

describe('the list of accounts', () => {
  it('has the newest first, with state and balance, page by page', async () => {
    const page = await pageOf('?limit=2');
    expect(page.items[0]).toMatchObject({
      account_id: idOf(ACCOUNTS),
      kind: 'formal',
      state: 'suspended',
      name: 'Name 10000',
      email: `a${ACCOUNTS}@example.org`,
    });
    expect(idsIn(await pageOf(`?limit=2&cursor=${page.next_cursor}`))).toEqual([
      idOf(ACCOUNTS - 2),
      idOf(ACCOUNTS - 3),
    ]);
  });

  it('finds accounts by state, by the beginning of a name in any case, and by e-mail address', async () => {
    expect((await idsOf('?limit=100&state=payment_required')).slice(0, 2)).toEqual([idOf(19_901), idOf(19_801)]);
    expect(idsIn(await pageOf('?limit=1&state=suspended'))).toEqual([idOf(ACCOUNTS)]);
    expect(idsIn(await pageOf('?state=closed'))).toEqual([]);
    expect(await idsOf('?limit=3&name=NAME%200000')).toEqual(Array.from({ length: 19 }, (_, index) => idOf(index + 1)));
    expect(await idsOf('?limit=1&name=name%2000007')).toEqual([idOf(14), idOf(15)]);
    expect(await idsOf('?limit=1&name=%25')).toEqual([]);
    expect(await idsOf('?email=A77@Example.org')).toEqual([idOf(77)]);
    expect(await idsOf('?email=nobody@example.org')).toEqual([]);
  });

  it('finds a name with capitals outside ASCII as it is written, page by page', async () => {
    const ids = ['d', 'e', 'f'].map((digit) => `acc_${digit.repeat(32)}`);
    await identity.database.owner.query(
      `INSERT INTO accounts (account_id, kind, status, payment_required, name, opened_at)
       SELECT id, 'formal', 'active', false, 'Ärzte Österreichs', now() FROM unnest($1::text[]) AS id`,
      [ids],
    );
    expect(await idsOf('?limit=2&name=%C3%84rzte')).toEqual(ids);
    expect(await idsOf('?limit=1&name=%C3%84RZTE%20%C3%96')).toEqual(ids);
  });

  it('is for administrators, and refuses what it cannot read', async () => {
    expect((await list('', { ...admin, scopes: ['call', 'read', 'manage'] })).status).toBe(403);
    for (const query of [
      'limit=0',
      'limit=101',
      'state=odd',
      'name=',
      'cursor=!',
      'cursor=abc',
      // A zero character in it, which the database takes in no text.
      'cursor=WyJhXHUwMDAwIiwgImIiXQ',
      'name=a&cursor=WyJhXHUwMDAwIiwgImIiXQ',
      'state=closed&name=a',
    ]) {
      expect([query, (await list(`?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it.each([
    ['newest', `account_id < 'acc_00000000000000000000000000015000' ORDER BY account_id DESC`],
    [
      'in a state',
      `(CASE WHEN status = 'active' AND payment_required THEN 'payment_required' ELSE status END) = 'closed' ORDER BY account_id DESC`,
    ],
    [
      'of a name',
      `lower(name) ~>=~ lower('NAME 0') AND lower(name) ~<~ (lower('NAME 0') || '\u{10ffff}') ORDER BY lower(name) USING ~<~, account_id`,
    ],
  ])('reads the page of the %s along an index', async (_which, condition) => {
    const sql = `SELECT account_id FROM accounts WHERE ${condition} LIMIT 50`;
    const plan = await planOf(identity.database.pool, sql);
    expect(plan).toMatch(/Index.* Scan/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });
});
