import { beforeAll, describe, expect, it } from '@jest/globals';
import { discoveredTool, routingCard, searchResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString } from './support/json.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const search = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/search', { key: account.key, body, headers });

const results = (json: Record<string, unknown>) => asArray(json['results'], 'results').map((item) => asObject(item));

describe('POST /search', () => {
  it.each(['tool', '...', '?!… — 。', '😀', 'what is the of and to', '的了吗'])(
    'finds nothing by %j, which has no word to search by',
    async (query) => {
      const reply = await search({ query });
      expect({ status: reply.status, json: reply.json }).toMatchObject({
        status: 200,
        json: { query, total: 0, results: [], notice: expect.any(String), error_message: null },
      });
      expectShape(reply.json, searchResponse(discoveredTool));
    },
  );

  it('answers the full shape, ranked, with what can still be spent', async () => {
    const reply = await search({ query: 'convert units of measurement', session_id: 'acceptance' });
    expect(reply.status).toBe(200);
    expectShape(reply.json, searchResponse(discoveredTool));
    expect(reply.json['query']).toBe('convert units of measurement');
    expect(reply.json['total']).toBe(results(reply.json).length);
    expect(reply.json['total']).toBeGreaterThan(0);
    const scores = results(reply.json).map((tool) => Number(tool['final_score'] ?? tool['score'] ?? 0));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('gives names of parameters in one_of_required that exist, and samples for tools that take parameters', async () => {
    const reply = await search({ query: 'convert', limit: 100 });
    for (const tool of results(reply.json)) {
      const names = asArray(tool['params']).map((param) => asObject(param)['name']);
      for (const group of asArray(tool['one_of_required']))
        expect(names).toEqual(expect.arrayContaining(asArray(group)));
      const sample = asObject(asObject(tool['examples'])['sample_parameters'] ?? {});
      expect(names).toEqual(expect.arrayContaining(Object.keys(sample)));
    }
  });

  it('answers slim routing cards and nothing more with view=routing', async () => {
    const reply = await search({ query: 'convert units of measurement', view: 'routing' });
    expect(reply.status).toBe(200);
    expectShape(reply.json, searchResponse(routingCard));
    expect(reply.json['total']).toBeGreaterThan(0);
  });

  it('finds exactly the tool whose full id is the query', async () => {
    const found = await search({ query: 'public holidays of a country', limit: 1 });
    const toolId = asString(results(found.json)[0]?.['tool_id'], 'tool_id');
    const reply = await search({ query: toolId });
    expect(results(reply.json).map((tool) => tool['tool_id'])).toEqual([toolId]);
  });

  it('gives at most `limit` results', async () => {
    const reply = await search({ query: 'convert data', limit: 2 });
    expect(results(reply.json).length).toBeLessThanOrEqual(2);
  });

  it('answers no results, not an error, to a query that means nothing here', async () => {
    const reply = await search({ query: 'zzqxv wkkpj' });
    expect(reply.status).toBe(200);
    expectShape(reply.json, searchResponse(discoveredTool));
  });

  it('ignores fields that it does not know, and search_id null', async () => {
    const reply = await search({ query: 'convert units', search_id: null, from_the_future: { a: 1 } });
    expect(reply.status).toBe(200);
  });

  it('is free and leaves one usage event, found by its search_id', async () => {
    const reply = await search({ query: 'time zone conversion' });
    const searchId = asString(reply.json['search_id'], 'search_id');
    await eventually(async () => {
      const rows = await listUsage(account.key, { search_id: searchId });
      expect(rows).toEqual([
        expect.objectContaining({
          event_type: 'search',
          source_system: 'registry',
          search_id: searchId,
          success: true,
          charge_outcome: 'included',
        }),
      ]);
    });
  });
});

describe('POST /search, language', () => {
  const name = (json: Record<string, unknown>) => asString(results(json)[0]?.['name'], 'name');
  const chinese = /\p{Script=Han}/u;

  it('answers Chinese texts with lang=zh', async () => {
    expect(name((await search({ query: 'convert units', lang: 'zh' })).json)).toMatch(chinese);
  });

  it('finds tools by a Chinese query', async () => {
    expect(name((await search({ query: '单位换算', lang: 'zh' })).json)).toMatch(chinese);
  });

  it('negotiates Chinese from Accept-Language', async () => {
    const reply = await search({ query: 'convert units' }, { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5' });
    expect(name(reply.json)).toMatch(chinese);
  });

  it('lets lang win over Accept-Language', async () => {
    const reply = await search({ query: 'convert units', lang: 'en' }, { 'accept-language': 'zh-CN' });
    expect(name(reply.json)).not.toMatch(chinese);
  });

  it('takes Accept-Language * as no wish', async () => {
    expect(name((await search({ query: 'convert units' }, { 'accept-language': '*' })).json)).not.toMatch(chinese);
  });
});
