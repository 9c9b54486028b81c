import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { untilReadable } from '@capability-router/event-store/testing';
import Papa from 'papaparse';
import { BillingReads, START, type ReadAnswer } from '../test-support/billing-reads.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { publishedLedger } from '../test-support/published-lots.js';

const PATH = '/ledger-entries';
const rowsOf = ({ text }: ReadAnswer): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the ledger of all accounts', () => {
  let billing: BillingReads;
  beforeAll(async () => {
    billing = await BillingReads.start();
    for (const index of [0, 1, 2]) {
      const account = await billing.account(START + index);
      const paid = { paidAmount: '4.90', paidCurrency: 'EUR' };
      await MoneyAccount.of(billing.pool, billing.clock, account).grant(5_000_000n, { paid });
      await billing.calls(account, [{ micro: 1_500_000n, atMs: START + 10 + index, data: { toolId: '=1+1' } }]);
    }
    await untilReadable(billing.pool);
  });
  afterAll(() => billing.stop());

  /** Page after page until one is empty. */
  async function readAll(query: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (let cursor = ''; ;) {
      const page = rowsOf(await billing.adminGet(`${PATH}?${query}${cursor}`));
      if (page.length === 0) return all;
      all.push(...page);
      cursor = `&cursor=${String(page.at(-1)?.['cursor'])}`;
    }
  }

  it('is what the topic has, whatever the size of pages', async () => {
    const published = await publishedLedger(billing.pool);
    expect(published).toHaveLength(9);
    for (const size of [1, 4, 1_000]) {
      const rows = await readAll(`page_size=${size}`);
      expect(rows.map(({ cursor: _cursor, ...entry }) => entry)).toEqual(published);
    }
  });

  it('is the same as CSV, in the columns of the files and tables of finance', async () => {
    const answer = await billing.adminGet(`${PATH}?format=csv`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    const { data } = Papa.parse<Record<string, string>>(answer.text.trimEnd(), { header: true });
    const published = await publishedLedger(billing.pool);
    expect(data.map((row) => [row['entry_id'], row['lots'], row['paid_amount']])).toEqual(
      published.map(({ entryId, lots, paidAmount = '' }) => [entryId, lots, paidAmount]),
    );
    // A spreadsheet would run it.
    expect(data.filter((row) => row['description']?.startsWith(`'=1+1`))).toHaveLength(3);
  });

  it.each(['cursor=led_1', 'cursor=1:2:3', 'format=xml', 'page_size=0', 'page_size=1001'])(
    'refuses %s',
    async (query) => {
      expect((await billing.adminGet(`${PATH}?${query}`)).status).toBe(422);
    },
  );

  it("is no account's own", async () => {
    const account = await billing.account(START + 40);
    expect((await billing.get(account, `/../../admin/v1${PATH}`)).status).not.toBe(200);
  });
});
