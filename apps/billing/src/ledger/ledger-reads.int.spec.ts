import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import Papa from 'papaparse';
import { MoneyAccount } from '../test-support/money-account.js';
import { BillingReads, START, type ReadAnswer } from '../test-support/billing-reads.js';

const LEDGER = '/auth/credits/ledger';
const DAY_MS = 86_400_000;

type Row = Readonly<Record<string, unknown>>;
const items = (answer: ReadAnswer): Row[] => answer.data['items'] as Row[];
const amounts = (answer: ReadAnswer): unknown[] => items(answer).map((row) => row['amount_credits']);

/** A welcome bonus of 1,000 credits, then three charges over three days. */
describe('reads of the ledger', () => {
  let billing: BillingReads;
  let account: AccountId;
  beforeAll(async () => {
    billing = await BillingReads.start();
    account = await billing.account();
    await billing.calls(account, [
      { micro: 1_500_000n, atMs: START + 1, data: { toolId: '=1+1' } },
      { micro: 250_000n, atMs: START + DAY_MS },
      { micro: 4_000_001n, atMs: START + 2 * DAY_MS },
    ]);
  });
  afterAll(() => billing.stop());
  const get = (query: string): Promise<ReadAnswer> => billing.get(account, `${LEDGER}${query}`);

  it.each<[string, readonly number[]]>([
    ['', [-4.000001, -0.25, -1.5, 1_000]],
    ['?scope=all', [-4.000001, -0.25, -1.5, 1_000]],
    ['?scope=account_history', [-4.000001, -0.25, -1.5]],
    ['?direction=grant', [1_000]],
    ['?direction=consume', [-4.000001, -0.25, -1.5]],
    ['?direction=any&min_credits=1.5&max_credits=5', [-4.000001, -1.5]],
    ['?entry_type=grant_welcome_bonus', [1_000]],
    ['?entry_type=consume_model_call', []],
    ['?start_date=2026-04-02&end_date=2026-04-02', [-0.25]],
    ['?end_date=2026-04-01T12:00:00.000Z', [1_000]],
    ['?page=2&page_size=3', [1_000]],
    ['?page=1&page_size=3&limit=1', [-4.000001]],
  ])('list %s', async (query, expected) => {
    expect(amounts(await get(query))).toEqual(expected);
  });

  it('summarise the last 24 hours, or the dates that were sent, beside the whole list', async () => {
    const day = await get('?summary=true');
    expect(day.data).toMatchObject({
      total: 4,
      summary: { bucket: 'hour', total_entries: 2, net_amount_credits: -4.250001 },
    });
    const all = await get('?summary=true&start_date=2026-04-01&end_date=2026-04-10&limit=1');
    expect(items(all)).toHaveLength(1);
    expect(all.data['summary']).toEqual({
      start_date: '2026-04-01T00:00:00.000Z',
      end_date: '2026-04-10T23:59:59.999Z',
      bucket: 'day',
      total_entries: 4,
      consume_count: 3,
      grant_count: 1,
      consumed_credits: 5.750001,
      granted_credits: 1_000,
      net_amount_credits: 994.249999,
      max_amount_items: [expect.objectContaining({ entry_type: 'grant_welcome_bonus', amount_credits: 1_000 })],
      buckets: [
        {
          bucket_start: '2026-04-01T00:00:00.000Z',
          entry_count: 2,
          consume_count: 1,
          grant_count: 1,
          consumed_credits: 1.5,
          granted_credits: 1_000,
          net_amount_credits: 998.5,
        },
        expect.objectContaining({ bucket_start: '2026-04-02T00:00:00.000Z', net_amount_credits: -0.25 }),
        expect.objectContaining({ bucket_start: '2026-04-03T00:00:00.000Z', entry_count: 1, granted_credits: 0 }),
      ],
    });
    const none = await get('?summary=true&start_date=2020-01-01&end_date=2020-01-01');
    expect(none.data['summary']).toMatchObject({
      total_entries: 0,
      net_amount_credits: 0,
      buckets: [],
      max_amount_items: [],
    });
  });

  it('export the history by default, everything by scope, in the columns that were agreed', async () => {
    const read = async (query: string) => {
      const answer = await get(`/export${query}`);
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
      return Papa.parse<Record<string, string>>(answer.text.trimEnd(), { header: true });
    };
    const history = await read('');
    expect(history.meta.fields?.join(', ')).toBe(
      'id, entry_type, amount_credits, balance_before, balance_after, source_system, source_ref_type, source_ref_id, ' +
        'execution_id, description, created_at, entry_seq, scope, lots, paid_amount, paid_currency, project_id',
    );
    expect(history.data.map((row) => row['amount_credits'])).toEqual(['-4.000001', '-0.25', '-1.5']);
    expect(history.data[2]?.['description']).toBe(`'=1+1: 1 call`);
    // The grant is missing, and the file says why.
    expect(history.data.map((row) => [row['entry_seq'], row['scope']])).toEqual(
      ['4', '3', '2'].map((seq) => [seq, 'account_history']),
    );
    const all = await read('?scope=all&start_date=2026-04-01');
    for (const [index, row] of items(await get('')).entries()) {
      const { total_available_credits: before } = row['balance_before'] as Row;
      const { total_available_credits: after } = row['balance_after'] as Row;
      expect(all.data[index]).toMatchObject({
        id: row['id'],
        amount_credits: String(row['amount_credits']),
        balance_before: String(before),
        balance_after: String(after),
        created_at: row['created_at'],
        execution_id: row['execution_id'] ?? '',
        entry_seq: String(row['entry_seq']),
        scope: 'all',
      });
      const lots = JSON.parse(all.data[index]?.['lots'] ?? '') as Row[];
      expect(row['lots']).toEqual(
        lots.map(({ lot_id, category, amount_micro_credits: micro }) => ({
          lot_id,
          category,
          amount_credits: Number(micro) / 1e6,
        })),
      );
    }
  });

  it('tell from which grant an entry took, and what was paid for it', async () => {
    const buyer = await billing.account();
    const [bonus] = items(await billing.get(buyer, LEDGER));
    const money = MoneyAccount.of(billing.pool, billing.clock, buyer);
    // Later than the bonus, so that the bonus is burned first.
    billing.clock.advanceMs(1_000);
    const paid = { paidAmount: '4.90', paidCurrency: 'EUR' };
    const topUp = await money.grant(5_000_000n, { paid });
    await billing.calls(buyer, [{ micro: 1_002_000_000n, atMs: START + 3 * DAY_MS }]);
    const answer = await billing.get(buyer, LEDGER);
    expect(items(answer).map((row) => row['lots'])).toEqual([
      [
        { lot_id: bonus?.['id'], category: 'welcome_bonus', amount_credits: -1_000 },
        { lot_id: topUp, category: 'purchased', amount_credits: -2 },
      ],
      [{ lot_id: topUp, category: 'purchased', amount_credits: 5 }],
      [{ lot_id: bonus?.['id'], category: 'welcome_bonus', amount_credits: 1_000 }],
    ]);
    const [charge, grant] = items(answer);
    expect((await billing.get(buyer, `${LEDGER}/${String(charge?.['id'])}`)).data['lots']).toEqual(charge?.['lots']);
    expect(grant?.['ledger_metadata']).toEqual({ category: 'purchased', paid_amount: '4.90', paid_currency: 'EUR' });
    const { text } = await billing.get(buyer, `${LEDGER}/export?scope=all`);
    const rows = Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data;
    expect(rows.map((row) => [row['paid_amount'], row['paid_currency']])).toEqual([
      ['', ''],
      ['4.90', 'EUR'],
      ['', ''],
    ]);
  });

  it('show another account nothing', async () => {
    const other = await billing.account();
    for (const row of items(await get(''))) {
      expect((await billing.get(other, `${LEDGER}/${String(row['id'])}`)).status).toBe(404);
    }
    expect(amounts(await billing.get(other, LEDGER))).toEqual([1_000]);
    expect((await billing.get(other, `${LEDGER}/export`)).text.trimEnd().split('\r\n')).toHaveLength(1);
  });
});
