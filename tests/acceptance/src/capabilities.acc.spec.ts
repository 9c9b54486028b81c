import { beforeAll, describe, expect, it } from '@jest/globals';
import { capabilityDetail } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';

/** Together they find tools of every part of the catalogue. */
const needs = [
  'text',
  'data json',
  'date calendar time',
  'number statistics',
  'check validate',
  'city country',
  'convert',
];

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** Ids that a search shows. */
async function shownBySearches(): Promise<Set<string>> {
  const shown = new Set<string>();
  for (const query of needs) {
    const reply = await call('POST', '/search', { key: account.key, body: { query, limit: 100 } });
    for (const result of asArray(reply.json['results'])) {
      const capabilities = asArray(asObject(result)['capabilities'], 'capabilities');
      for (const capability of capabilities) shown.add(asString(asObject(capability)['id'], 'id'));
    }
  }
  return shown;
}

describe('GET /capabilities', () => {
  it('lists every capability that a search shows, page by page, each once and as its detail has it', async () => {
    const shown = await shownBySearches();
    await eventually(async () => {
      const listed: JsonObject[] = [];
      let total = Number.POSITIVE_INFINITY;
      while (listed.length < total) {
        const reply = await call('GET', `/capabilities?limit=20&skip=${listed.length}`, { key: account.key });
        const items = asArray(reply.json['items']).map((item) => asObject(item));
        total = items.length === 0 ? 0 : Number(reply.json['total']);
        listed.push(...items);
      }
      const ids = listed.map((item) => item['capability_id']);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining([...shown]));
      const [first] = listed.filter((item) => 'contract_version' in item);
      const detail = await call('GET', `/capabilities/${asString(first?.['capability_id'], 'id')}`, {
        key: account.key,
      });
      const { candidate_count: candidates, ...told } = first ?? {};
      expect(candidates).toBeGreaterThan(1);
      expect(detail.json).toMatchObject(told);
    });
  });
});

describe('GET /capabilities/{capability_id}', () => {
  it('knows every capability that a search shows', async () => {
    const shown = await shownBySearches();
    expect(shown.size).toBeGreaterThan(20);
    for (const id of shown) {
      const reply = await eventually(async () => {
        const answer = await call('GET', `/capabilities/${id}`, { key: account.key });
        expect({ id, status: answer.status }).toEqual({ id, status: 200 });
        return answer;
      });
      expectShape(reply.json, capabilityDetail);
      expect(reply.json['capability_id']).toBe(id);
      expect('contract_version' in reply.json).toBe('schema_hash' in reply.json);
      const sample = asObject(reply.json['examples'])['sample_parameters'];
      expect(sample !== undefined).toBe('contract_version' in reply.json);
      if (sample === undefined) continue;
      const params = asArray(reply.json['params']).map((param) => asObject(param));
      const required = params.filter((param) => param['required'] === true).map(({ name }) => name);
      expect(Object.keys(asObject(sample))).toEqual(expect.arrayContaining(required));
      expect(reply.json['effect']).toBe('read_only');
    }
  });

  it('is a 404 of an id that nobody declares', async () => {
    expect((await call('GET', '/capabilities/no.such', { key: account.key })).status).toBe(404);
  });
});
