import { beforeAll, describe, expect, it } from '@jest/globals';
import { listOf, validationDetail } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject } from './support/json.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** The fault of the body, and the field that `detail[0].loc` must name. */
const invalidSearches: readonly [string, unknown, string][] = [
  ['no query', {}, 'query'],
  ['a query that is no string', { query: 7 }, 'query'],
  ['a query that is null', { query: null }, 'query'],
  ['an empty query', { query: '' }, 'query'],
  ['a blank query', { query: ' \n\t\u3000 ' }, 'query'],
  ['a query of 10,000 characters', { query: 'convert '.repeat(1_250) }, 'query'],
  ['a control character in the query', { query: 'convert\u0000units' }, 'query'],
  ['limit 0', { query: 'x', limit: 0 }, 'limit'],
  ['limit 101', { query: 'x', limit: 101 }, 'limit'],
  ['limit -1', { query: 'x', limit: -1 }, 'limit'],
  ['a fractional limit', { query: 'x', limit: 1.5 }, 'limit'],
  ['a limit that is a string', { query: 'x', limit: 'ten' }, 'limit'],
  ['an unknown view', { query: 'x', view: 'wide' }, 'view'],
  ['an unknown language', { query: 'x', lang: 'fr' }, 'lang'],
  ['a session_id that is no string', { query: 'x', session_id: {} }, 'session_id'],
  ['a control character in the session_id', { query: 'x', session_id: 'a\u001bb' }, 'session_id'],
];
const invalidInspections: readonly [string, unknown, string][] = [
  ['no tool_ids', {}, 'tool_ids'],
  ['tool_ids that is no array', { tool_ids: 'a.b.c.v1' }, 'tool_ids'],
  ['a tool id that is no string', { tool_ids: [7] }, 'tool_ids'],
  ['no tool id at all', { tool_ids: [] }, 'tool_ids'],
  ['an empty tool id', { tool_ids: [''] }, 'tool_ids'],
  ['a control character in a tool id', { tool_ids: ['a.b\u0007.c.v1'] }, 'tool_ids'],
  ['1,000 tool ids', { tool_ids: Array.from({ length: 1_000 }, (_, index) => `a.b.c.v${index + 1}`) }, 'tool_ids'],
  ['an unknown view', { tool_ids: ['a.b.c.v1'], view: 'wide' }, 'view'],
];

async function expectInvalid(path: string, body: unknown, field: string): Promise<void> {
  const reply = await call('POST', path, { key: account.key, body });
  expect(reply.status).toBe(422);
  expect(typeof reply.json['message']).toBe('string');
  expectShape(reply.json['detail'], listOf(validationDetail));
  const [first] = asArray(reply.json['detail'], 'detail');
  expect(asObject(first)['loc']).toContain(field);
}

describe('POST /search, invalid request', () => {
  it.each(invalidSearches)('answers 422 and names the field: %s', async (_what, body, field) => {
    await expectInvalid('/search', body, field);
  });

  it.each([
    ['an array', []],
    ['a string', 'x'],
    ['null', null],
  ])('answers 422 when the body is %s', async (_what, body) => {
    const reply = await call('POST', '/search', { key: account.key, rawBody: JSON.stringify(body) });
    expect(reply.status).toBe(422);
  });
});

describe('POST /tools/by-ids, invalid request', () => {
  it.each(invalidInspections)('answers 422 and names the field: %s', async (_what, body, field) => {
    await expectInvalid('/tools/by-ids', body, field);
  });
});

describe('a search after invalid ones', () => {
  it('answers as before', async () => {
    // By its id: others that are found with it come and go with other tests.
    const tool = 'formula.unit.convert.v1';
    const find = async () => (await call('POST', '/search', { key: account.key, body: { query: tool } })).json;
    const toolIds = (json: Record<string, unknown>) =>
      asArray(json['results']).map((found) => asObject(found)['tool_id']);
    const before = await find();
    for (const [, body] of invalidSearches) await call('POST', '/search', { key: account.key, body });
    expect([toolIds(before), toolIds(await find())]).toEqual([[tool], [tool]]);
  });
});
