import { beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call, send, type Reply } from './support/http.js';
import { asObject, asString } from './support/json.js';
import { startTaughtTool } from './support/taught-tool.js';
import { freeCall } from './support/tools.js';

const erase = (accountId: string): Promise<Reply> =>
  send('DELETE', `/admin/v1/accounts/${accountId}`, { key: adminKey });

describe('an account that an operator erases', () => {
  const email = `ada-${Date.now()}@example.org`;
  let account: TestAccount;
  let erased: Reply;
  beforeAll(async () => {
    const opened = await admin('POST', '/accounts', { kind: 'formal', name: 'Ada Lovelace', email });
    const accountId = asString(opened['account_id'], 'account_id');
    const { key, keyId } = await newKey(accountId);
    account = { accountId, key, keyId, initialCredits: 0 };
    // Every replica knows the key.
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await call('POST', '/search', { key, body: { query: 'weather' } })).status).toBe(200);
    }
    expect((await execute(key, freeCall)).status).toBe(200);
    erased = await erase(accountId);
  });

  const routes: [string, string, unknown?][] = [
    ['POST', '/search', { query: 'weather' }],
    ['POST', '/tools/by-ids', { tool_ids: [freeCall.toolId] }],
    ['POST', '/tools/probe?tool_id=x.y.z.v1', { parameters: {} }],
    ['POST', `/tools/execute?tool_id=${freeCall.toolId}`, { parameters: freeCall.parameters }],
    ['GET', '/auth/credits'],
    ['GET', '/auth/usage/history/v2'],
    ['GET', '/auth/credits/ledger'],
    ['GET', '/providers'],
  ];

  it('is told so, with the time', () => {
    expect(erased.status).toBe(200);
    expect(asObject(erased.json['data'])).toEqual({
      account_id: account.accountId,
      erased_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  /** Few requests: an address that keeps presenting keys that are none is told to wait. */
  it('gets 401 to everything, from every replica', async () => {
    const status = async ([method, path, body]: (typeof routes)[number]): Promise<number> =>
      (await call(method, path, { key: account.key, ...(body === undefined ? {} : { body }) })).status;
    const [first] = routes;
    if (first === undefined) throw new Error('there are routes');
    await eventually(async () => {
      for (let turn = 0; turn < 2; turn += 1) expect(await status(first)).toBe(401);
    });
    for (const route of routes) expect([route[1], await status(route)]).toEqual([route[1], 401]);
  });

  it('is answered alike when it is erased again', async () => {
    const again = await erase(account.accountId);
    expect([again.status, again.json['data']]).toEqual([200, erased.json['data']]);
  });

  it('gets no key any more, and its e-mail address can be used again', async () => {
    const path = `/admin/v1/accounts/${account.accountId}/api-keys`;
    const key = await send('POST', path, { key: adminKey, body: { name: 'late', scopes: ['read'] } });
    expect(key.status).toBe(409);
    const listed = await send('GET', path, { key: adminKey });
    expect(listed.text).not.toContain(account.keyId);
    const again = await admin('POST', '/accounts', { kind: 'formal', name: 'Another', email });
    expect(again['account_id']).not.toBe(account.accountId);
  });
});

describe('erasing accounts', () => {
  it('needs the scope admin, an account, and a key of another account', async () => {
    const account = await newAccount();
    const own = await send('DELETE', `/admin/v1/accounts/${account.accountId}`, { key: account.key });
    expect(own.status).toBe(403);
    expect((await call('GET', '/auth/credits', { key: account.key })).status).toBe(200);
    for (const id of [`acc_${'0'.repeat(32)}`, 'nobody']) expect((await erase(id)).status).toBe(404);
  });

  it('takes their share in what past searches say of a tool', async () => {
    const stranger = await newAccount();
    const tool = await startTaughtTool('hotel');
    try {
      const before = await tool.finalScore(stranger.key);
      const voters = await tool.teach();
      const taught = await eventually(async () => {
        const finalScore = await tool.finalScore(stranger.key);
        expect(finalScore).toBeGreaterThan(before);
        return finalScore;
      });
      expect((await erase(voters[0]?.accountId ?? '')).status).toBe(200);
      await eventually(async () => expect(await tool.finalScore(stranger.key)).toBeLessThan(taught));
    } finally {
      await tool.close();
    }
  });
});
