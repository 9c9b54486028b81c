import { beforeAll, describe, expect, it } from '@jest/globals';
import { categoryList, listOf, providerList, validationDetail } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { toldError } from './support/told-error.js';

const chinese = /\p{Script=Han}/u;

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

type Query = Readonly<Record<string, string | number>>;

async function read(path: string, query: Query = {}, headers: Record<string, string> = {}): Promise<JsonObject> {
  const reply = await call('GET', path, { key: account.key, query, headers });
  expect(reply.status).toBe(200);
  return reply.json;
}
const items = (json: JsonObject): JsonObject[] => asArray(json['items'], 'items').map((item) => asObject(item));
const providers = async (query: Query = {}): Promise<JsonObject[]> => items(await read('/providers', query));
const ids = (list: readonly JsonObject[]): string[] => list.map((item) => asString(item['provider_id'], 'provider_id'));

describe('GET /providers', () => {
  it('answers a bare body in the full shape, by name', async () => {
    const json = await read('/providers');
    expectShape(json, providerList);
    expect(items(json).length).toBeGreaterThan(1);
    expect(json['total']).toBeGreaterThanOrEqual(items(json).length);
    const names = items(json).map((item) => asString(item['name'], 'name'));
    expect(names).toEqual([...names].sort(new Intl.Collator('en', { sensitivity: 'base' }).compare));
  });

  it('gives every provider exactly once over its pages', async () => {
    // Other tests publish providers meanwhile; pages of which each tells the same total are pages of one list.
    const { total, seen, beyond } = await eventually(async () => {
      const totals = new Set<number>();
      const page = async (query: Query): Promise<string[]> => {
        const json = await read('/providers', query);
        totals.add(asNumber(json['total'], 'total'));
        return ids(items(json));
      };
      await page({});
      const [first = 0] = totals;
      const seen: string[] = [];
      for (let skip = 0; skip < first; skip += 2) seen.push(...(await page({ skip, limit: 2 })));
      const beyond = await page({ skip: first });
      expect([...totals]).toEqual([first]);
      return { total: first, seen, beyond };
    });
    expect(total).toBeGreaterThan(1);
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
    expect(beyond).toEqual([]);
  });

  it('takes those of a category, or of several', async () => {
    const slugs = items(await read('/providers/categories')).map((item) => asString(item['slug'], 'slug'));
    const [first = '', second = ''] = slugs;
    const ofFirst = await providers({ categories: first, limit: 100 });
    expect(ofFirst.length).toBeGreaterThan(0);
    for (const item of ofFirst) expect(item['categories']).toContain(first);
    const ofBoth = ids(await providers({ categories: `${first},${second}`, limit: 100 }));
    expect(ofBoth).toEqual(expect.arrayContaining(ids(ofFirst)));
    expect(await providers({ categories: 'no-such-category' })).toEqual([]);
  });

  it('takes those whose texts hold the words of a query', async () => {
    const [known] = await providers();
    const name = asString(known?.['name'], 'name');
    expect(ids(await providers({ query: name.toUpperCase() }))).toContain(known?.['provider_id']);
    expect(await providers({ query: 'zzqxv wkkpj' })).toEqual([]);
  });

  it('orders by tools, in both directions', async () => {
    const counts = async (order: string) =>
      (await providers({ sort_by: 'tools', sort_order: order, limit: 100 })).map((item) =>
        asNumber(item['tool_count']),
      );
    const ascending = await counts('asc');
    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    const descending = await counts('desc');
    expect(descending).toEqual([...descending].sort((a, b) => b - a));
  });

  it('orders by success rate, with those that have none last', async () => {
    const rates = (await providers({ sort_by: 'success_rate', limit: 100 })).map(
      (item) => asObject(item['stats'] ?? {})['success_rate'] ?? -1,
    );
    expect(rates).toEqual([...rates].sort((a, b) => Number(b) - Number(a)));
  });

  it('answers in Chinese by lang and by Accept-Language', async () => {
    const texts = (list: readonly JsonObject[]) => list.map((item) => String(item['description'])).join(' ');
    expect(texts(await providers({ lang: 'zh' }))).toMatch(chinese);
    const negotiated = items(await read('/providers', {}, { 'accept-language': 'zh-CN,en;q=0.5' }));
    expect(texts(negotiated)).toMatch(chinese);
    expect(texts(items(await read('/providers', { lang: 'en' }, { 'accept-language': 'zh' })))).not.toMatch(chinese);
  });

  it.each([
    ['limit', 'limit', 0],
    ['limit', 'limit', 101],
    ['limit', 'limit', 'ten'],
    ['skip', 'skip', -1],
    ['sort_by', 'sort_by', 'price'],
    ['sort_order', 'sort_order', 'up'],
    ['lang', 'lang', 'fr'],
    ['query', 'query', 'a\u0000b'],
    ['query', 'query', 'a'.repeat(10_000)],
    ['categories', 'categories', Array.from({ length: 50 }, (_, index) => `c${index}`).join(',')],
  ])('answers 422 and names the field: %s', async (field, name, value) => {
    const reply = await call('GET', '/providers', { key: account.key, query: { [name]: value } });
    expect(reply.status).toBe(422);
    expectShape(reply.json['detail'], listOf(validationDetail));
    expect(asObject(asArray(reply.json['detail'])[0])['loc']).toEqual(expect.arrayContaining(['query', field]));
  });

  it('ignores parameters that it does not know', async () => {
    expect((await providers({ from_the_future: 1 })).length).toBeGreaterThan(0);
  });
});

describe('GET /providers/categories', () => {
  it('answers every category with its counts, that agree with the providers', async () => {
    const json = await read('/providers/categories');
    expectShape(json, categoryList);
    expect(items(json).length).toBeGreaterThan(1);
    // Other tests publish providers meanwhile.
    await eventually(async () => {
      for (const item of items(await read('/providers/categories'))) {
        const slug = asString(item['slug'], 'slug');
        const listed = await read('/providers', { categories: slug });
        expect([slug, listed['total']]).toEqual([slug, item['provider_count']]);
      }
    });
    for (const item of items(json)) {
      expect(asNumber(item['tool_count'])).toBeGreaterThanOrEqual(asNumber(item['provider_count']));
    }
  });

  it('answers in Chinese', async () => {
    const names = items(await read('/providers/categories', { lang: 'zh' })).map((item) => String(item['name']));
    expect(names.join('')).toMatch(chinese);
  });

  it('answers 422 to an unknown language', async () => {
    expect((await call('GET', '/providers/categories', { key: account.key, query: { lang: 'fr' } })).status).toBe(422);
  });
});

describe.each(['/providers', '/providers/categories'])('GET %s', (path) => {
  it('needs a key', async () => {
    const reply = await call('GET', path);
    expect(reply.status).toBe(401);
    const refusal = { status: 'failure', status_code: 401, message: 'Invalid API key' };
    expect(reply.json).toEqual({ ...refusal, ...toldError('invalid_api_key') });
  });

  it('takes a content type without a body, and leaves no usage event', async () => {
    const { key } = await newAccount();
    const reply = await call('GET', path, { key, headers: { 'content-type': 'application/json' } });
    expect(reply.status).toBe(200);
    const history = await call('GET', '/auth/usage/history/v2', { key });
    expect(asObject(history.json['data'])['total']).toBe(0);
  });
});
