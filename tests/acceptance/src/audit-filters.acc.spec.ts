import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, read, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call } from './support/http.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { toldError } from './support/told-error.js';
import { freeCall, paidCall } from './support/tools.js';

const USAGE = '/auth/usage/history/v2';
const LEDGER = '/auth/credits/ledger';
/** Not an id that a search has; Call records what its caller gives. */
const SEARCH_ID = 'my own search, № 1';

/** One free and one paid call, and a search. */
let account: TestAccount;
let free: JsonObject;
let paid: JsonObject;
let price: number;
beforeAll(async () => {
  account = await newAccount();
  const found = await call('POST', '/search', { key: account.key, body: { query: 'time' } });
  expect(found.status).toBe(200);
  const freeReply = await execute(account.key, freeCall, { search_id: SEARCH_ID });
  free = await settledUsageOf(account.key, freeReply.json['execution_id']);
  const paidReply = await execute(account.key, paidCall);
  paid = await settledUsageOf(account.key, paidReply.json['execution_id']);
  // It is on record by another way than the calls.
  await eventually(async () => expect(await listUsage(account.key, { event_type: 'search' })).toHaveLength(1));
  price = asNumber(paid['actual_amount_credits'], 'actual_amount_credits');
});

type Query = Readonly<Record<string, string | number | boolean>>;
const idsOf = (rows: readonly JsonObject[]): string[] => rows.map((row) => asString(row['id']));
const found = async (query: Query): Promise<string[]> => idsOf(await listUsage(account.key, query));

describe('the usage history, each filter honoured', () => {
  it('min_credits and max_credits bound the effective amount, both inclusive', async () => {
    expect(price).toBeGreaterThan(0);
    expect(await found({ min_credits: price })).toEqual([paid['id']]);
    expect(await found({ min_credits: price + 0.000001 })).toEqual([]);
    expect(await found({ min_credits: 0.000001, max_credits: price })).toEqual([paid['id']]);
    const none = await found({ max_credits: 0 });
    expect(none).toContain(free['id']);
    expect(none).not.toContain(paid['id']);
  });

  it('numbers may be written as any language does, and need not be amounts that there are', async () => {
    const tiny = { min_credits: '1e-06', max_credits: '1E+3' };
    expect(await found(tiny)).toEqual([paid['id']]);
    expect(await found({ min_credits: 0.0000001, max_credits: 99_999_999_999 })).toEqual([paid['id']]);
    expect(await found({ min_credits: 99_999_999_999 })).toEqual([]);
  });

  it('api_key_id is the same key in capitals', async () => {
    const rows = await found({ api_key_id: account.keyId.toUpperCase() });
    expect(rows).toEqual(await found({}));
    expect(rows).toHaveLength(3);
  });

  it('dates may have an offset whose plus was not encoded', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString().replace('Z', '+00:00');
    for (const path of [USAGE, LEDGER]) {
      const reply = await call('GET', `${path}?start_date=${from}`, { key: account.key });
      expect(asArray(asObject(reply.json['data'])['items']).length).toBeGreaterThan(1);
    }
  });

  it('a summary of exactly three days is by the hour, of more by the day', async () => {
    const bucketOf = async (end: string): Promise<unknown> => {
      const query = { summary: true, start_date: '2026-01-01T10:00:00Z', end_date: end };
      const data = asObject((await read(USAGE, { key: account.key, query })).json['data']);
      return asObject(data['summary'])['bucket'];
    };
    expect(await bucketOf('2026-01-04T10:00:00Z')).toBe('hour');
    expect(await bucketOf('2026-01-04T10:00:01Z')).toBe('day');
  });

  it('a limit beyond all numbers is a limit of 50, and what a route does not have is ignored', async () => {
    for (const path of [`${USAGE}?limit=99999999999999999999`, `${USAGE}/summary?bucket=x&page=0`]) {
      expect((await call('GET', path, { key: account.key })).status).toBe(200);
    }
  });

  it('search_id finds what its caller gave, whatever its form', async () => {
    expect(await found({ search_id: SEARCH_ID })).toEqual([free['id']]);
    expect(await found({ search_id: 'abc' })).toEqual([]);
  });

  it.each<[Query, 'calls' | 'search' | 'paid' | 'none']>([
    [{ event_type: 'tool_execute' }, 'calls'],
    [{ event_type: 'search' }, 'search'],
    [{ kind: 'call' }, 'calls'],
    [{ kind: 'discover' }, 'search'],
    [{ kind: 'model' }, 'none'],
    [{ success: false }, 'none'],
    [{ billable_success: false }, 'none'],
    [{ outcome: 'success' }, 'calls'],
    [{ outcome: 'empty_result' }, 'none'],
    [{ reason_code: 'provider.error' }, 'none'],
    [{ has_execution_outcome: true }, 'calls'],
    [{ has_execution_outcome: false }, 'search'],
    [{ charge_outcome: 'charged' }, 'paid'],
    [{ charge_outcome: 'failed_not_charged' }, 'none'],
    [{ credential_type: 'access_token' }, 'none'],
    [{ api_key_id: '00000000-0000-7000-8000-000000000000' }, 'none'],
    [{ end_date: '2001-01-01' }, 'none'],
    [{ start_date: '2999-01-01' }, 'none'],
    [{ anomaly: 'missing_ledger_link' }, 'none'],
    [{ anomaly: 'missing_billing_snapshot' }, 'none'],
    [{ anomaly: 'failed_charged_review' }, 'none'],
    [{ oauth_client_id: 'client' }, 'none'],
    [{ kind: 'call', summary: true, bucket: 'hour' }, 'calls'],
    [{ kind: 'call', summary: false, include_details: false }, 'calls'],
  ])('%p', async (query, expected) => {
    const rows = await listUsage(account.key, query);
    const calls = [paid['id'], free['id']];
    if (expected === 'search') expect(rows.map((row) => row['event_type'])).toEqual(['search']);
    else expect(idsOf(rows)).toEqual({ calls, paid: [paid['id']], none: [] }[expected]);
  });

  it('include_details adds what was asked', async () => {
    const [row] = await listUsage(account.key, { execution_id: asString(paid['execution_id']), include_details: true });
    expect(row).toEqual(expect.objectContaining({ id: paid['id'], request_payload: expect.anything() }));
    expect(paid).not.toHaveProperty('request_payload');
  });
});

describe('the usage history and the ledger, bad filters', () => {
  const ofBoth = ['min_credits=5&max_credits=1', 'min_credits=-1', 'max_credits=-1', 'start_date=soon', 'bucket=year'];
  it.each([USAGE, LEDGER].flatMap((path) => ofBoth.map((query) => `${path}?${query}`)))('400 to %s', async (path) => {
    const reply = await call('GET', path, { key: account.key });
    expect(reply.status).toBe(400);
    const refusal = { status: 'failure', message: expect.any(String), status_code: -7, data: null };
    expect(reply.json).toEqual({ ...refusal, ...toldError('invalid_query') });
  });

  const malformed = ['min_credits=abc', 'max_credits=1e400', 'min_credits=1&min_credits=2', 'min_credits='];
  const ofUsage = [
    'event_type=call',
    'kind=all',
    'success=maybe',
    'billable_success=2',
    'outcome=fine',
    'reason_code=none',
    'has_execution_outcome=x',
    'charge_outcome=paid',
    `search_id=${'x'.repeat(201)}`,
    'search_id=a%00b',
    'execution_id=abc',
    'api_key_id=abc',
    `credential_type=${'x'.repeat(33)}`,
    'include_details=x',
    'anomaly=lost',
    `oauth_client_id=${'x'.repeat(2_049)}`,
    'summary=perhaps',
  ];
  const ofLedger = ['entry_type=consume', 'scope=some', 'summary=2'];
  it.each([
    ...[USAGE, LEDGER].flatMap((path) => malformed.map((query) => `${path}?${query}`)),
    ...ofUsage.map((query) => `${USAGE}?${query}`),
    ...ofLedger.map((query) => `${LEDGER}?${query}`),
  ])('422 to %s', async (path) => {
    const reply = await call('GET', path, { key: account.key });
    expect(reply.status).toBe(422);
    expect(asArray(reply.json['detail']).length).toBeGreaterThan(0);
  });
});
