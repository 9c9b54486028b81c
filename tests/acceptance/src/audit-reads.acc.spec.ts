import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  creditsSpent,
  envelope,
  feedPage,
  ledgerEntry,
  ledgerSummary,
  readiness,
  settlementItem,
  usageItem,
  usageSummary,
} from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listLedger, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { readCsv } from './support/csv.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, send } from './support/http.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { emptyCall, failingCall, freeCall, paidCall, perRowCall } from './support/tools.js';

const USAGE = '/auth/usage/history/v2';
const LEDGER = '/auth/credits/ledger';
const HISTORY = '/auth/account/settlement-history';
const INITIAL_CREDITS = 500;
const CALLS = [paidCall, freeCall, perRowCall, emptyCall, failingCall, paidCall];

/** A search and six calls: charged, free, empty and failed ones; then every read of what they left is compared. */
let account: TestAccount;
let usage: JsonObject[];
let ledger: JsonObject[];
let spent: number;
beforeAll(async () => {
  account = await newAccount(INITIAL_CREDITS);
  expect((await call('POST', '/search', { key: account.key, body: { query: 'holidays' } })).status).toBe(200);
  for (const known of CALLS) {
    const reply = await execute(account.key, known);
    await settledUsageOf(account.key, reply.json['execution_id']);
  }
  usage = await eventually(async () => {
    const rows = await listUsage(account.key);
    expect(rows).toHaveLength(CALLS.length + 1);
    return rows;
  });
  ledger = await listLedger(account.key);
  spent = ledger.reduce((sum, entry) => sum + Math.min(0, micro(entry['amount_credits'])), 0) * -1;
  expect(spent).toBeGreaterThan(0);
});

type Query = Readonly<Record<string, string | number | boolean>>;
async function data(path: string, query: Query = {}): Promise<JsonObject> {
  const reply = await call('GET', path, { key: account.key, query });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  return asObject(reply.json['data'], 'data');
}
const sum = (rows: readonly JsonObject[], field: string): number =>
  rows.reduce((total, row) => total + micro(row[field] ?? 0, field), 0);
const rowsOf = (list: unknown): JsonObject[] => asArray(list).map((row) => asObject(row));
/** A value as a cell of a CSV file. */
const cellOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
const ids = (rows: readonly JsonObject[]): string[] => rows.map((row) => asString(row['id']));

describe('the summary of the usage history', () => {
  it('adds up to its rows and to the ledger, to the micro-credit', async () => {
    const reply = await call('GET', USAGE, { key: account.key, query: { summary: true, limit: 2 } });
    const summary = asObject(asObject(reply.json['data'])['summary'], 'summary');
    expectShape(summary, usageSummary);
    expect(summary).toMatchObject({ bucket: 'hour', total_count: CALLS.length + 1 });
    expect(micro(summary['settled_credits'])).toBe(spent);
    expect(micro(summary['pre_settlement_credits'])).toBe(sum(usage, 'requested_amount_credits'));
    const counts = asObject(summary['charge_outcome_counts']);
    for (const [outcome, count] of Object.entries(counts)) {
      expect([outcome, count]).toEqual([outcome, usage.filter((row) => row['charge_outcome'] === outcome).length]);
    }
    const buckets = rowsOf(summary['buckets']);
    expect(sum(buckets, 'settled_credits')).toBe(spent);
    expect(buckets.reduce((total, bucket) => total + asNumber(bucket['total_count']), 0)).toBe(usage.length);
    const largest = rowsOf(summary['max_charge_items']);
    const charges = usage.map((row) => micro(row['actual_amount_credits'] ?? 0)).sort((a, b) => b - a);
    expect(largest.map((row) => micro(row['actual_amount_credits']))).toEqual(charges.slice(0, 2));
  });

  it('is by day over more than three days, and by week where asked', async () => {
    for (const [query, bucket] of [
      [{ start_date: '2026-01-01' }, 'day'],
      [{ start_date: '2026-01-01', bucket: 'week' }, 'week'],
    ] as const) {
      const summary = asObject((await data(USAGE, { summary: true, ...query }))['summary']);
      expect(summary).toMatchObject({ bucket, total_count: usage.length });
      const starts = rowsOf(summary['buckets']).map((row) => asString(row['bucket_start']));
      for (const start of starts) expect(start).toMatch(/T00:00:00\.000Z$/);
      if (bucket === 'week') for (const start of starts) expect(new Date(start).getUTCDay()).toBe(1);
    }
  });

  it('is null where it is not asked for', async () => {
    expect((await data(USAGE))['summary']).toBeNull();
    expect((await data(LEDGER))['summary']).toBeNull();
  });
});

describe('the usage feed', () => {
  it('gives every event once over its pages, as the list shows it', async () => {
    const seen: JsonObject[] = [];
    for (let cursor: unknown; ;) {
      const query = cursor === undefined ? {} : { cursor: asString(cursor) };
      const reply = await call('GET', `${USAGE}/summary`, { key: account.key, query: { page_size: 2, ...query } });
      expectShape(reply.json, envelope(feedPage(usageItem)));
      const page = asObject(reply.json['data']);
      seen.push(...rowsOf(page['items']));
      expect(page['has_more']).toBe('next_cursor' in page);
      cursor = page['next_cursor'];
      if (cursor === undefined) break;
    }
    expect(ids(seen).sort()).toEqual(ids(usage).sort());
    for (const item of seen) {
      const { details_available: _available, ...fields } = item;
      expect(usage.find((row) => row['id'] === item['id'])).toMatchObject(fields);
    }
  });

  it('refuses a cursor that was changed, and that of another account, filter or feed', async () => {
    const cursor = asString((await data(`${USAGE}/summary`, { page_size: 1 }))['next_cursor']);
    const changed = `${cursor.slice(0, 8)}${cursor[8] === 'x' ? 'y' : 'x'}${cursor.slice(9)}`;
    const other = await newAccount(1);
    for (const [key, path, query] of [
      [account.key, `${USAGE}/summary`, { cursor: changed }],
      [account.key, `${USAGE}/summary`, { cursor, kind: 'call' }],
      [account.key, HISTORY, { cursor }],
      [other.key, `${USAGE}/summary`, { cursor }],
    ] as const) {
      const reply = await call('GET', path, { key, query });
      expect(reply.status).toBe(422);
      expect(asObject(asArray(reply.json['detail'])[0])['loc']).toEqual(['query', 'cursor']);
    }
  });
});

describe('the summary of the ledger', () => {
  it('adds up to its entries and to the balance', async () => {
    const summary = asObject((await data(LEDGER, { summary: true, limit: 1 }))['summary']);
    expectShape(summary, ledgerSummary);
    expect(summary).toMatchObject({ total_entries: ledger.length, grant_count: 1 });
    expect(micro(summary['consumed_credits'])).toBe(spent);
    expect(micro(summary['granted_credits'])).toBe(micro(INITIAL_CREDITS));
    expect(micro(summary['net_amount_credits'])).toBe(micro(INITIAL_CREDITS) - spent);
    expect(micro(await remainingCredits(account.key))).toBe(micro(INITIAL_CREDITS) - spent);
    expect(rowsOf(summary['max_amount_items'])).toMatchObject([{ amount_credits: INITIAL_CREDITS }]);
    for (const item of rowsOf(summary['max_amount_items'])) expectShape(item, ledgerEntry);
    expect(sum(rowsOf(summary['buckets']), 'net_amount_credits')).toBe(micro(INITIAL_CREDITS) - spent);
  });

  it('covers what the filter matches: a scope, a direction, bounds on the absolute amount', async () => {
    const charges = ledger.filter((entry) => String(entry['entry_type']).startsWith('consume_'));
    for (const query of [
      { scope: 'account_history' },
      { direction: 'consume' },
      { max_credits: INITIAL_CREDITS - 1 },
    ]) {
      const page = await data(LEDGER, { summary: true, ...query });
      expect(ids(rowsOf(page['items']))).toEqual(ids(charges));
      expect(page['summary']).toMatchObject({ total_entries: charges.length, grant_count: 0, granted_credits: 0 });
    }
    expect((await data(LEDGER, { scope: 'all' }))['total']).toBe(ledger.length);
  });
});

describe('the exports', () => {
  it('hold what the lists show, to the micro-credit', async () => {
    const usageFile = await readCsv(account.key, `${USAGE}/export`);
    expect(usageFile.rows.map((row) => row['id']).sort()).toEqual(ids(usage).sort());
    for (const row of usageFile.rows) {
      const shown = usage.find((event) => event['id'] === row['id']);
      for (const field of ['charge_outcome', 'execution_id', 'actual_amount_credits', 'reason_code', 'created_at']) {
        expect([field, row[field]]).toEqual([field, cellOf(shown?.[field])]);
      }
    }
    const ledgerFile = await readCsv(account.key, `${LEDGER}/export?scope=all`);
    expect(ledgerFile.columns).toEqual([
      ...['id', 'entry_type', 'amount_credits', 'balance_before', 'balance_after', 'source_system'],
      ...['source_ref_type', 'source_ref_id', 'execution_id', 'description', 'created_at', 'entry_seq', 'scope'],
      ...['lots', 'paid_amount', 'paid_currency', 'project_id'],
    ]);
    expect(ledgerFile.rows.map((row) => [row['id'], Number(row['amount_credits'])])).toEqual(
      ledger.map((entry) => [entry['id'], entry['amount_credits']]),
    );
    const history = await readCsv(account.key, `${LEDGER}/export`);
    expect(history.rows).toHaveLength(ledger.length - 1);
  });

  it('take the filters of the list, and have a head where nothing matches', async () => {
    const charged = await readCsv(account.key, `${USAGE}/export?charge_outcome=charged&kind=call`);
    expect(charged.rows).toHaveLength(ledger.length - 1);
    const none = await readCsv(account.key, `${USAGE}/export?end_date=2001-01-01`);
    expect(none.rows).toEqual([]);
    expect(none.columns).toContain('charge_outcome');
  });

  it('of another account are not found in it', async () => {
    const other = await newAccount(1);
    expect((await readCsv(other.key, `${USAGE}/export`)).rows).toEqual([]);
    const reply = await send('GET', `/api/v1${USAGE}/export`);
    expect(reply.status).toBe(401);
  });
});

describe('credits spent', () => {
  it('are what the ledger took', async () => {
    const reply = await call('GET', '/auth/usage/credits-spent', { key: account.key });
    expectShape(reply.json, envelope(creditsSpent));
    expect(micro(asObject(reply.json['data'])['total_credits'])).toBe(spent);
    expect(await data('/auth/usage/credits-spent', { kind: 'discover' })).toEqual({ total_credits: 0 });
    expect(await data('/auth/usage/credits-spent', { end_date: '2001-01-01' })).toEqual({
      total_credits: 0,
      end_date: '2001-01-01',
    });
  });
});

describe('readiness and the settlement history', () => {
  it('find the ledger complete, and serve it', async () => {
    const reply = await call('GET', '/auth/credits/ledger-readiness', { key: account.key });
    expectShape(reply.json, envelope(readiness));
    const checked = asObject(reply.json['data']);
    expect(checked).toMatchObject({ ready: true, recommended_read_mode: 'ledger', scope: 'all' });
    expect(checked['legacy_total_count']).toBe(ledger.length);
    expect(micro(checked['ledger_total_amount_credits'])).toBe(micro(INITIAL_CREDITS) - spent);
    const entities = rowsOf(checked['entities']);
    expect(sum(entities, 'legacy_amount_credits')).toBe(sum(ledger, 'amount_credits'));

    const seen: JsonObject[] = [];
    for (let cursor: unknown; ;) {
      const query = { scope: 'all', page_size: 2, ...(cursor === undefined ? {} : { cursor: asString(cursor) }) };
      const answer = await call('GET', HISTORY, { key: account.key, query });
      expectShape(answer.json, envelope(feedPage(settlementItem)));
      const page = asObject(answer.json['data']);
      seen.push(...rowsOf(page['items']));
      cursor = page['next_cursor'];
      if (cursor === undefined) break;
    }
    expect(seen.map((item) => [item['id'], item['amount_credits']])).toEqual(
      ledger.map((entry) => [entry['id'], entry['amount_credits']]),
    );
    expect(rowsOf((await data(HISTORY))['items'])).toHaveLength(ledger.length - 1);
  });
});
