/** @postgres-versions What a value cannot be is an error of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@capability-router/kernel';
import { BillingReads, START } from '../test-support/billing-reads.js';
import { digestTables } from '../test-support/digest-tables.js';

/** The values that a parameter may have, and the answer to each of its faults. */
interface Kind {
  readonly right: readonly string[];
  readonly wrong400?: readonly string[];
  readonly wrong422?: readonly string[];
}

const NUL = '%00';
const injection = encodeURIComponent(`'; DROP TABLE usage_events; --`);
const long = 'x'.repeat(3_000);

const day: Kind = {
  right: [
    '2026-04-01',
    '2026-04-01T12:00:00Z',
    '2026-04-01T12:00:00.123%2B02:00',
    '2026-04-01T12:00',
    '2024-02-29',
  ].concat(
    // A plus as clients send it that do not encode it, offsets of hours alone, and small letters.
    ['2026-04-01T12:00:00+02:00', '2026-04-01T12:00:00%2B02', '2026-04-01T12:00:00-0800', '2026-04-01t12:00:00z'],
  ),
  wrong400: [
    '',
    'soon',
    '2026-13-01',
    '2026-02-30',
    '2025-02-29',
    '20260401',
    '2026-4-1',
    '1711929600',
    injection,
    NUL,
  ].concat([
    '2026-04-01T25:00:00Z',
    '2026-04-01T12:61:00Z',
    '2026-04-01T12:00:00%2B99:99',
    '2026-04-01T',
    '2026-04-01T12:00+',
    'null',
  ]),
  wrong422: [long],
};
const oneOf = (...right: string[]): Kind => ({
  right,
  wrong422: ['', 'nonsense', `${right[0]}%20`, right[0]?.toUpperCase() ?? '', NUL, injection, long],
});
const boolean: Kind = { right: ['true', 'false', '1', '0', 'TRUE'], wrong422: ['', 'maybe', '2', 'null', NUL, long] };
const uuid: Kind = {
  right: ['00000000-0000-7000-8000-000000000000', '0000000A-0000-7000-8000-00000000000B'],
  wrong422: ['', 'abc', '0000', NUL, injection, '00000000-0000-7000-8000-00000000000g', long],
};
const textUpTo = (characters: number): Kind => ({
  right: ['a', 'x'.repeat(characters), injection],
  wrong422: ['', NUL, 'x'.repeat(characters + 1)],
});
const credits: Kind = {
  right: ['0', '5', '0.000001', '9000000000', '1e3', '5e-05', '1E%2B3', '0.30000000000000004', '1e-7'].concat([
    '9000000001',
    '99999999999999999999',
    '1e300',
  ]),
  wrong400: ['-1', '-0.000001', '-1e-9'],
  wrong422: [
    '',
    'abc',
    '1e400',
    'e5',
    '1e',
    `0.${'3'.repeat(40)}`,
    'NaN',
    'Infinity',
    '1,5',
    '0x10',
    NUL,
    injection,
    long,
  ],
};
const integer = (low: number, high?: number): Kind => ({
  right: [String(low), String(high ?? 51), ...(high === undefined ? ['99999999999999999999'] : [])],
  wrong422: ['', 'x', '1.5', '1e1', String(low - 1), '-1', '-99999999999999999999', NUL, injection].concat(
    high === undefined ? [] : [String(high + 1), '99999999999999999999'],
  ),
});
const judged = (...right: string[]): Kind => ({
  right,
  wrong400: ['', 'sideways', right[0]?.toUpperCase() ?? '', NUL, injection],
});
const direction: Kind = { ...judged('consume', 'grant', 'any'), wrong422: [long] };
const bucket: Kind = { ...judged('hour', 'day', 'week') };
const cursor: Kind = { right: [], wrong422: ['', 'x', 'MS4x', '%2B%2B%2B', NUL, injection, long] };

const kind = oneOf('discover', 'call', 'model');
const chargeOutcome = oneOf('charged', 'included', 'failed_not_charged', 'failed_charged_review');
const dates = { start_date: day, end_date: day };
const scope = oneOf('account_history', 'all');

/** As the specification's tables have them. */
const usageFilters = {
  ...dates,
  event_type: oneOf('search', 'search_by_ids', 'tool_execute', 'capabilities_query', 'model_call'),
  kind,
  success: boolean,
  billable_success: boolean,
  outcome: oneOf('success', 'empty_result'),
  reason_code: oneOf('result.valid', 'provider.http_error', 'oauth_signin_required'),
  has_execution_outcome: boolean,
  charge_outcome: chargeOutcome,
  anomaly: oneOf('failed_charged_review', 'missing_ledger_link', 'missing_billing_snapshot'),
  search_id: textUpTo(200),
  execution_id: { right: [`exec_${'0'.repeat(32)}`], wrong422: ['', 'abc', 'exec_', NUL, injection, long] },
  api_key_id: uuid,
  oauth_client_id: textUpTo(2_048),
  project_id: uuid,
  credential_type: oneOf('api_key', 'access_token', 'delegation_token'),
};
const amounts = { min_credits: credits, max_credits: credits };
const paged = (maxPageSize: number) => ({
  page: integer(1, 1_000_000),
  page_size: integer(1, maxPageSize),
  summary: boolean,
  bucket,
  limit: integer(1),
});
const feed = { cursor, page_size: integer(1, 500) };

const routes: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  '/auth/usage/history/v2': { ...usageFilters, ...amounts, ...paged(50_000), include_details: boolean },
  '/auth/usage/history/v2/summary': { ...usageFilters, ...feed },
  '/auth/usage/history/v2/export': { ...usageFilters, ...amounts },
  '/auth/usage/credits-spent': { ...dates, kind, charge_outcome: chargeOutcome, project_id: uuid },
  '/auth/credits/ledger': {
    ...dates,
    entry_type: oneOf('grant_payment_recharge', 'consume_tool_search', 'consume_grant_expiry'),
    scope,
    direction,
    ...amounts,
    ...paged(500),
  },
  '/auth/credits/ledger/export': { ...dates, scope },
  '/auth/credits/ledger-readiness': dates,
  '/auth/account/settlement-history': { ...dates, scope, ...feed },
};

const cases = (pick: (kind: Kind) => readonly string[]): [string, string, string][] =>
  Object.entries(routes).flatMap(([path, parameters]) =>
    Object.entries(parameters).flatMap(([name, kind]) =>
      pick(kind).map((value): [string, string, string] => [path, name, value]),
    ),
  );
const shortened = (value: string): string => (value.length > 60 ? `${value.slice(0, 60)}…` : value);

describe('the parameters of the audit and the ledger', () => {
  let billing: BillingReads;
  let account: AccountId;
  let before: unknown;
  beforeAll(async () => {
    billing = await BillingReads.start();
    account = await billing.account();
    await billing.calls(account, [{ micro: 1n, atMs: START + 1 }]);
    billing.setTime(START + 60_000);
    before = await digestTables(billing.pool);
  });
  afterAll(async () => {
    const after = await digestTables(billing.pool);
    await billing.stop();
    // Reading, well or badly asked for, changes nothing.
    expect(after).toEqual(before);
  });

  const faults = async (
    asked: readonly (readonly [string, string])[],
    isRight: (answer: Awaited<ReturnType<BillingReads['get']>>, name: string) => boolean,
  ): Promise<string[]> => {
    const wrong: string[] = [];
    for (const [path, name] of asked) {
      const answer = await billing.get(account, path);
      if (!isRight(answer, name)) wrong.push(`${shortened(path)}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    return wrong;
  };
  const asked = (list: readonly [string, string, string][]): (readonly [string, string])[] =>
    list.map(([path, name, value]) => [`${path}?${name}=${value}`, name]);

  it('that are right are taken', async () => {
    expect(await faults(asked(cases((kind) => kind.right)), ({ status }) => status === 200)).toEqual([]);
  });

  it('that the specification answers with 400 are, by code -7', async () => {
    const list = cases((kind) => kind.wrong400 ?? []);
    expect(list.length).toBeGreaterThan(200);
    const isRight = (answer: { status: number; json: object }): boolean => {
      const { status, message, status_code: number, data, code, ...more } = answer.json as Record<string, unknown>;
      const shape = status === 'failure' && typeof message === 'string' && number === -7 && data === null;
      return answer.status === 400 && shape && code === 'invalid_query' && Object.keys(more).length === 0;
    };
    expect(await faults(asked(list), isRight)).toEqual([]);
  });

  /** A pattern tells people nothing. */
  const forMachines = /regular expression|\/\^|\\[wd]/;
  const names = (answer: { status: number; json: object }, name: string): boolean => {
    const { message, detail } = answer.json as { message?: unknown; detail?: { loc: unknown[] }[] };
    if (answer.status !== 422 || typeof message !== 'string' || forMachines.test(message)) return false;
    return detail?.[0]?.loc.join('.') === `query.${name}`;
  };

  it('that are malformed or unknown are answered with 422, which names them', async () => {
    const list = cases((kind) => kind.wrong422 ?? []);
    expect(list.length).toBeGreaterThan(300);
    expect(await faults(asked(list), names)).toEqual([]);
  });

  it('that come twice are refused', async () => {
    const twice = cases((kind) => kind.right.slice(0, 1)).map(
      ([path, name, value]) => [`${path}?${name}=${value}&${name}=${value}`, name] as const,
    );
    const isRight = (answer: { status: number; json: object }, name: string): boolean =>
      name === 'bucket' ? answer.status === 400 : names(answer, name);
    expect(await faults(twice, isRight)).toEqual([]);
  });

  it.each(Object.entries(routes))('%s refuses inverted ranges, ignores what it does not know', async (path, known) => {
    const inverted = await billing.get(account, `${path}?start_date=2026-04-02&end_date=2026-04-01`);
    expect(inverted).toMatchObject({ status: 400 });
    if ('min_credits' in known) {
      const amounts = await billing.get(account, `${path}?min_credits=5&max_credits=4.999999`);
      expect(amounts.status).toBe(400);
      expect(amounts.json['message']).toBe('min_credits must not be greater than max_credits');
    }
    expect((await billing.get(account, `${path}?colour=blue`)).status).toBe(200);
    if (!('bucket' in known)) expect((await billing.get(account, `${path}?bucket=blue`)).status).toBe(200);
  });

  it('say what is allowed', async () => {
    const messageOf = async (path: string): Promise<unknown> => (await billing.get(account, path)).json['message'];
    expect(await messageOf('/auth/credits/ledger?start_date=x')).toBe(
      'Invalid start_date format. Use YYYY-MM-DD or ISO-8601 datetime.',
    );
    expect(await messageOf('/auth/credits/ledger?direction=x')).toBe('Invalid direction. Use consume, grant, or any.');
    expect(await messageOf('/auth/credits/ledger?min_credits=-1')).toBe('min_credits must be >= 0');
    expect(await messageOf('/auth/usage/history/v2?bucket=x')).toBe('Invalid bucket. Use hour, day, or week.');
    expect(await messageOf('/auth/usage/history/v2?page=99999999999999999999')).toContain('greater than 1000000');
    const fault = (name: string, what: string): string => `"${name}" is invalid: ${name} must be ${what}`;
    expect(await messageOf('/auth/credits/ledger?max_credits=much')).toBe(fault('max_credits', 'a number'));
    for (const path of ['/auth/usage/history/v2', '/auth/usage/history/v2/summary', '/auth/usage/history/v2/export']) {
      expect(await messageOf(`${path}?search_id=`)).toBe(
        fault('search_id', 'a search id, as /search answers it: srch_…; at most 200 characters'),
      );
      expect(await messageOf(`${path}?execution_id=x`)).toBe(
        fault('execution_id', 'an execution id, as /tools/execute answers it: exec_…'),
      );
      expect(await messageOf(`${path}?oauth_client_id=`)).toBe(
        fault('oauth_client_id', 'the id of an OAuth client, of 1 to 2048 characters'),
      );
    }
  });
});
