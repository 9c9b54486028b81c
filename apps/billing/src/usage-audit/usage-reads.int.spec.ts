import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId, ExecutionId } from '@capability-router/kernel';
import Papa from 'papaparse';
import { BillingReads, START, type ReadAnswer } from '../test-support/billing-reads.js';

const USAGE = '/auth/usage/history/v2';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const priceRule = { metering: { kind: 'call' }, amountMicroCredits: '1500000', unitLabel: 'call' };

type Row = Readonly<Record<string, unknown>>;
/** As a cell says it. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
const items = (answer: ReadAnswer): Row[] => answer.data['items'] as Row[];

const PROJECT = '018f0000-0000-7000-8000-000000000001';

/** Calls over three days: two of the first day, one of the second, one of the third that failed after it was charged. */
describe('reads of the usage audit', () => {
  let billing: BillingReads;
  let account: AccountId;
  let ids: ExecutionId[];
  beforeAll(async () => {
    billing = await BillingReads.start();
    account = await billing.account();
    ids = await billing.calls(account, [
      { micro: 1_500_000n, atMs: START, data: { priceRule, oauthClientId: 'a client' } },
      { micro: 0n, atMs: START + HOUR_MS, data: { priceRule, errorMessage: '=HYPERLINK("http://x")', toolId: '-1+1' } },
      { micro: 250_000n, atMs: START + DAY_MS, data: { projectId: PROJECT } },
      { micro: 4_000_001n, atMs: START + 2 * DAY_MS, data: { priceRule } },
    ]);
    // As a report of its provider would leave it.
    await billing.pool.query(
      'UPDATE usage_events SET success = false, user_message = NULL, revised_at = effective_at WHERE execution_id = $1',
      [ids[3]],
    );
    billing.setTime(START + 2 * DAY_MS + HOUR_MS);
  });
  afterAll(() => billing.stop());

  const get = (path: string): Promise<ReadAnswer> => billing.get(account, path);
  const found = async (query: string): Promise<number[]> =>
    items(await get(`${USAGE}?${query}`)).map((row) => ids.indexOf(row['execution_id'] as ExecutionId));

  it('list, add up and export what a project is charged with', async () => {
    expect(await found(`project_id=${PROJECT}`)).toEqual([2]);
    expect(await found(`project_id=${PROJECT.replace('1', '2')}`)).toEqual([]);
    const [event] = items(await get(`${USAGE}?project_id=${PROJECT}`));
    expect(event).toMatchObject({ project_id: PROJECT });
    const feed = await get(`${USAGE}/summary?project_id=${PROJECT}`);
    expect(JSON.stringify(feed.json)).toContain(PROJECT);
    const spent = await get(`/auth/usage/credits-spent?project_id=${PROJECT}`);
    expect(spent.json['data']).toMatchObject({ total_credits: 0.25 });
    const { text } = await get(`${USAGE}/export?project_id=${PROJECT}`);
    const [head = '', ...rows] = text.trimEnd().split(/\r?\n/);
    expect([head.split(',').at(-2), rows.length, rows[0]?.split(',').at(-2)]).toEqual(['project_id', 1, PROJECT]);
  });

  it('list what has an anomaly, and what came of an OAuth client', async () => {
    expect(await found('anomaly=failed_charged_review')).toEqual([3]);
    expect(await found('anomaly=missing_billing_snapshot')).toEqual([2]);
    expect(await found('anomaly=missing_ledger_link')).toEqual([]);
    expect(await found('oauth_client_id=a%20client')).toEqual([0]);
    expect(await found('oauth_client_id=another')).toEqual([]);
  });

  it('call a charge without its ledger entry an anomaly once a minute has passed', async () => {
    const other = await billing.account();
    const atMs = START + 2 * DAY_MS;
    const [executionId] = await billing.calls(other, [{ micro: 1n, atMs }]);
    const query = 'UPDATE usage_events SET ledger_entry_id = NULL WHERE execution_id = $1';
    await billing.pool.query(query, [executionId]);
    const listed = async (afterMs: number): Promise<unknown> => {
      billing.setTime(atMs + afterMs);
      return (await billing.get(other, `${USAGE}?anomaly=missing_ledger_link`)).data['total'];
    };
    expect([await listed(60_000), await listed(60_001)]).toEqual([0, 1]);
    billing.setTime(START + 2 * DAY_MS + HOUR_MS);
  });

  it('summarise the last 24 hours, or the dates that were sent, beside the whole list', async () => {
    const day = await get(`${USAGE}?summary=true`);
    expect(day.data['total']).toBe(4);
    expect(day.data['summary']).toMatchObject({ bucket: 'hour', total_count: 1, settled_credits: 4.000001 });
    const all = await get(`${USAGE}?summary=true&start_date=2026-04-01&end_date=2026-04-04&limit=2`);
    expect(items(all)).toHaveLength(2);
    expect(all.data['summary']).toEqual({
      start_date: '2026-04-01T00:00:00.000Z',
      end_date: '2026-04-04T23:59:59.999Z',
      bucket: 'day',
      total_count: 4,
      success_count: 3,
      failure_count: 1,
      charge_outcome_counts: { charged: 2, included: 1, failed_not_charged: 0, failed_charged_review: 1 },
      pre_settlement_credits: 5.750001,
      settled_credits: 5.750001,
      max_charge_items: [
        expect.objectContaining({ execution_id: ids[3], actual_amount_credits: 4.000001, details_available: true }),
        expect.objectContaining({ execution_id: ids[0], actual_amount_credits: 1.5 }),
      ],
      buckets: [
        {
          bucket_start: '2026-04-01T00:00:00.000Z',
          total_count: 2,
          success_count: 2,
          failure_count: 0,
          charged_count: 1,
          included_count: 1,
          failed_not_charged_count: 0,
          failed_charged_review_count: 0,
          pre_settlement_credits: 1.5,
          settled_credits: 1.5,
        },
        expect.objectContaining({ bucket_start: '2026-04-02T00:00:00.000Z', charged_count: 1, settled_credits: 0.25 }),
        expect.objectContaining({ bucket_start: '2026-04-03T00:00:00.000Z', failed_charged_review_count: 1 }),
      ],
    });
    const week = await get(`${USAGE}?summary=true&start_date=2026-04-01&bucket=week&kind=call`);
    const { buckets } = week.data['summary'] as { buckets: Row[] };
    // 2026-03-30 is the Monday.
    expect(buckets).toMatchObject([{ bucket_start: '2026-03-30T00:00:00.000Z', total_count: 4 }]);
  });

  it('feed the same rows as the list, without their objects, page by page', async () => {
    const whole = items(await get(USAGE));
    const seen: Row[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const { data } = await get(`${USAGE}/summary?page_size=1&kind=call${cursor}`);
      seen.push(...(data['items'] as Row[]));
      expect(data).toMatchObject({ page_size: 1, has_more: page < 3 });
      expect('next_cursor' in data).toBe(page < 3);
      cursor = `&cursor=${String(data['next_cursor'])}`;
    }
    const objects = ['execution_outcome', 'billing_rule_snapshot', 'pre_settlement_bill', 'settlement_result'];
    const plain = whole.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !objects.includes(name))),
    );
    expect(seen).toEqual(plain.map((row) => ({ ...row, details_available: true })));
  });

  it('count what was spent, settled less refunds', async () => {
    const spent = async (query: string): Promise<Row> => (await get(`/auth/usage/credits-spent${query}`)).data;
    expect(await spent('')).toEqual({ total_credits: 5.750001 });
    expect(await spent('?start_date=2026-04-02&end_date=2026-04-02&kind=call')).toEqual({
      total_credits: 0.25,
      start_date: '2026-04-02',
      end_date: '2026-04-02',
    });
    expect(await spent('?charge_outcome=charged')).toEqual({ total_credits: 1.75 });
    expect(await spent('?kind=discover')).toEqual({ total_credits: 0 });
  });

  it('export what the list shows, every scalar of every row, harmless in a spreadsheet', async () => {
    const answer = await get(`${USAGE}/export?kind=call`);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
    expect(answer.headers['content-disposition']).toContain('attachment');
    const file = Papa.parse<Record<string, string>>(answer.text.trimEnd(), { header: true });
    expect(file.errors).toEqual([]);
    const rows = items(await get(USAGE));
    expect(file.data).toHaveLength(4);
    for (const [index, cells] of file.data.entries()) {
      const row = rows[index] ?? {};
      const apiKey = row['api_key'] as { id: string; name: string } | null;
      const shown: Row = { ...row, api_key_id: apiKey?.id, api_key_name: apiKey?.name };
      for (const [name, cell] of Object.entries(cells)) {
        expect([name, cell.replace(/^'/, '')]).toEqual([name, textOf(shown[name])]);
      }
      const scalars = Object.entries(row).filter(([, value]) => value === null || typeof value !== 'object');
      const objects = ['api_key', 'execution_outcome', 'billing_rule_snapshot', 'pre_settlement_bill'];
      for (const [name] of scalars) if (!objects.includes(name)) expect(Object.keys(cells)).toContain(name);
    }
    expect(file.data[2]).toMatchObject({ error_message: `'=HYPERLINK("http://x")`, tool_id: `'-1+1` });
    expect(file.meta.fields?.slice(0, 3)).toEqual(['id', 'event_type', 'source_system']);
  });

  it('export only the matching rows, and a head where none matches', async () => {
    const some = await get(`${USAGE}/export?min_credits=1&end_date=2026-04-01`);
    expect(some.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect((await get(`${USAGE}/export?kind=model`)).text).toMatch(/^id,event_type,[a-z_,]+\r\n$/);
  });

  it('show another account nothing', async () => {
    const other = await billing.account();
    const eventId = String(items(await get(USAGE))[0]?.['id']);
    expect((await billing.get(other, `${USAGE}/${eventId}`)).status).toBe(404);
    expect((await billing.get(other, `${USAGE}?execution_id=${ids[0]}`)).data['total']).toBe(0);
    expect((await billing.get(other, `${USAGE}/summary`)).data['items']).toEqual([]);
    expect((await billing.get(other, `${USAGE}/export`)).text.trimEnd().split('\r\n')).toHaveLength(1);
    const page = await get(`${USAGE}/summary?page_size=1`);
    const stolen = await billing.get(other, `${USAGE}/summary?cursor=${String(page.data['next_cursor'])}`);
    expect(stolen.status).toBe(422);
  });
});
