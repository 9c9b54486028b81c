/** The deployment does with a parameter that is left out as the OpenAPI document says. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey, nextOrigin } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';

/** More than any page has where nobody says how long it is to be. */
const EVENTS = 105;

/** Milliseconds. */
const PATIENCE_MS = 10_000;

interface Defaults {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
}

let account: TestAccount;
/** Reads of the account that have defaults. */
let reads: readonly Defaults[];

async function readsOf(): Promise<Defaults[]> {
  const response = await fetch(new URL('/api/v1/openapi.json', nextOrigin()));
  const paths = Object.entries(asObject(asObject(await response.json())['paths']));
  return paths.flatMap(([path, methods]) => {
    const parameters = asObject(methods)['get'] === undefined ? [] : asObject(asObject(methods)['get'])['parameters'];
    const query = asArray(parameters ?? []).flatMap((one) => {
      const { name, schema } = asObject(one);
      const { default: value } = asObject(schema);
      return value === undefined ? [] : [[name, value]];
    });
    return query.length === 0 ? [] : [{ path, query: Object.fromEntries(query) as Defaults['query'] }];
  });
}

const textOf = async (path: string, query: Defaults['query']): Promise<string> => {
  const reply = await call('GET', path, { key: account.key, query });
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.text;
};

async function itemsOf(path: string, query: Defaults['query'] = {}): Promise<JsonObject[]> {
  const { json } = await call('GET', path, { key: account.key, query });
  return asArray(asObject(json['data'])['items']).map((item) => asObject(item));
}

beforeAll(async () => {
  reads = await readsOf();
  account = await newAccount(EVENTS);
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    import_id: `defaults-${index}`,
    account_id: account.accountId,
    model: 'large-1',
    occurred_at: new Date().toISOString(),
    amount_credits: 0.5,
  }));
  expect((await send('POST', '/admin/v1/usage-events:import', { key: adminKey, body: { events } })).status).toBe(200);
  await eventually(async () => {
    const settled = { page_size: 500, charge_outcome: 'charged' };
    expect(await itemsOf('/auth/usage/history/v2', settled)).toHaveLength(EVENTS);
    expect((await call('GET', '/auth/account/settlement-history', { key: account.key })).status).toBe(200);
  });
});

describe('a read that leaves parameters out', () => {
  it('is answered as one that names their defaults', async () => {
    expect(reads.length).toBeGreaterThan(8);
    for (const { path, query } of reads) {
      // Other tests may change the catalogue between the two.
      await eventually(async () => {
        const isSame = (await textOf(path, {})) === (await textOf(path, query));
        expect({ path, query, isSame }).toEqual({ path, query, isSame: true });
      }, PATIENCE_MS);
    }
  });

  it.each([
    ['/auth/usage/history/v2', 50],
    ['/auth/usage/history/v2/summary', 100],
    ['/auth/credits/ledger', 50],
    ['/auth/account/settlement-history', 100],
  ])('has as many items as the document says: %s', async (path, items) => {
    expect(reads.find((read) => read.path === path)?.query['page_size']).toBe(items);
    expect(await itemsOf(path)).toHaveLength(items);
    expect(await itemsOf(path, { page_size: items + 1 })).toHaveLength(items + 1);
  });
});

describe('a search that does not say how many tools it wants', () => {
  it('finds at most 20, in full', async () => {
    const body = { query: 'convert text, numbers, dates, addresses or documents' };
    // Other tests may change the catalogue, and with it how rare words are, between the two.
    await eventually(async () => {
      const found = await call('POST', '/search', { key: account.key, body });
      const more = await call('POST', '/search', { key: account.key, body: { ...body, limit: 21, view: 'full' } });
      expect([asArray(found.json['results']).length, asArray(more.json['results']).length]).toEqual([20, 21]);
      const [first, same] = [found, more].map(({ json }) => asObject(asArray(json['results'])[0]));
      expect(first).toEqual(same);
    }, PATIENCE_MS);
  });
});

describe('a probe', () => {
  it('takes the tool in the query, and checks the schema where it names no checks', async () => {
    const path = '/tools/probe?tool_id=almanac.time.convert.v1';
    const asked = await call('POST', path, { key: account.key, body: {} });
    const named = { parameters: {}, checks: ['schema'] };
    expect(asked.status).toBe(200);
    expect(asked.json['schema']).toMatchObject({ valid: false });
    expect((await call('POST', path, { key: account.key, body: named })).json).toEqual(asked.json);
  });
});
