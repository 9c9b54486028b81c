import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { call } from './support/http.js';
import type { JsonObject } from './support/json.js';
import { freeCall } from './support/tools.js';

const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
const routes: readonly [string, JsonObject][] = [
  ['/search', { query: 'convert units' }],
  ['/tools/by-ids', { tool_ids: [freeCall.toolId] }],
  ['/tools/execute', { tool_id: freeCall.toolId, parameters: freeCall.parameters }],
  ['/capabilities/query', { capability_id: 'geo.distance', parameters }],
];

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** Every route that takes a session takes the same ones. */
describe.each(routes)('the session_id of POST %s', (path, body) => {
  it.each<[string, string | number | null, number]>([
    ['null', null, 200],
    ['an empty text', '', 200],
    ['a blank', ' ', 200],
    ['200 characters of two units each', '😀'.repeat(200), 200],
    ['201 characters', 'x'.repeat(201), 422],
    ['two lines', 'a\nb', 422],
    ['a NUL', 'a\u0000b', 422],
    ['half of a character', 'a\ud800b', 422],
    ['a number', 7, 422],
  ])('%s', async (_what, sessionId, status) => {
    const reply = await call('POST', path, { key: account.key, body: { ...body, session_id: sessionId } });
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status });
    if (status === 422) expect(reply.text).toContain('"field":"session_id"');
    // Half of a character is valid to JavaScript's JSON alone.
    expect(reply.text).not.toMatch(/\\ud[89a-f]/i);
  });
});
