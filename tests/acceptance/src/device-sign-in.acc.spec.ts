import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { DeviceProgram } from './support/device-program.js';
import { call, send, type Reply } from './support/http.js';
import { asString } from './support/json.js';
import { codeMailedTo } from './support/mails.js';

/** Requests take the replicas of the gateway in turn. */
const ON_EVERY_REPLICA = 4;
const email = `device-${randomUUID()}@example.org`;
let account: TestAccount;
let mailAccountId: string;
beforeAll(async () => {
  account = await newAccount();
  const body = { kind: 'formal', name: 'signs in by mail', email, initial_credits: 5 };
  mailAccountId = asString((await admin('POST', '/accounts', body))['account_id']);
});

const reads = async (key: string): Promise<number[]> => {
  const replies = Array.from({ length: ON_EVERY_REPLICA }, () => call('GET', '/auth/credits', { key }));
  return (await Promise.all(replies)).map(({ status }) => status);
};
const everywhere = (status: number): number[] => Array.from({ length: ON_EVERY_REPLICA }, () => status);

/** Sends the form of a page whose action it names, with its hidden fields and what somebody enters. */
function submit(shown: Reply, action: string, entered: Record<string, string>): Promise<Reply> {
  const [form = ''] = new RegExp(`<form method="post" action="${action}">[\\s\\S]*?</form>`).exec(shown.text) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const fields = { ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), ...entered };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send('POST', action, { rawBody: new URLSearchParams(fields).toString(), headers });
}

const openAndSend = async ({ page, userCode }: DeviceProgram): Promise<Reply> =>
  submit(await send('GET', page.complete), page.path, { user_code: userCode });

async function approvedByKey(program: DeviceProgram, apiKey: string): Promise<Reply> {
  const consent = await submit(await openAndSend(program), '/device/key', { api_key: apiKey });
  expect((await submit(consent, '/device/decision', { decision: 'approve' })).text).toContain('Access given');
  return program.poll();
}

describe('a program on another device', () => {
  it('acts for whoever signs in by a mailed code and approves, on every replica, until its consent is ended', async () => {
    const program = await DeviceProgram.begin(account);
    expect((await program.poll()).json['error']).toBe('authorization_pending');
    const mailed = await submit(await openAndSend(program), '/device/email', { email });
    const code = asString(await codeMailedTo(email));
    const consent = await submit(mailed, '/device/email-code', { code });
    for (const part of [
      'Give a terminal access?',
      '<code>call</code>',
      '<code>read</code>',
      '/api/v1',
      program.userCode,
    ])
      expect(consent.text).toContain(part);
    expect((await submit(consent, '/device/decision', { decision: 'approve' })).status).toBe(200);
    const given = (await program.poll()).json;
    const [token, refreshToken] = [asString(given['access_token']), asString(given['refresh_token'])];
    expect(await reads(token)).toEqual(everywhere(200));
    const { json } = await call('POST', '/auth/verify-token', { body: { token } });
    expect(json['data']).toMatchObject({
      is_valid: true,
      payload: { sub: mailAccountId, client_id: program.clientId },
    });
    expect((await program.revoke(refreshToken)).status).toBe(200);
    expect(await reads(token)).toEqual(everywhere(401));
  });

  it('loses everything on every replica when a refresh token is used that was replaced before', async () => {
    const program = await DeviceProgram.begin(account);
    const first = asString((await approvedByKey(program, account.key)).json['refresh_token']);
    const second = asString((await program.refresh(first)).json['refresh_token']);
    const newest = (await program.refresh(second)).json;
    const token = asString(newest['access_token']);
    expect(await reads(token)).toEqual(everywhere(200));
    expect(await program.refresh(first)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await reads(token)).toEqual(everywhere(401));
    expect((await program.refresh(asString(newest['refresh_token']))).status).toBe(400);
  });

  it('has no more than the key that was shown, and loses it with the key', async () => {
    const { key, keyId } = await newKey(account.accountId, ['read']);
    const program = await DeviceProgram.begin(account);
    const given = await approvedByKey(program, key);
    expect(given.json['scope']).toBe('read');
    const token = asString(given.json['access_token']);
    expect((await call('POST', '/search', { key: token, body: { query: 'x' } })).status).toBe(403);
    expect(await reads(token)).toEqual(everywhere(200));
    await admin('DELETE', `/api-keys/${keyId}`);
    expect(await reads(token)).toEqual(everywhere(401));
  });
});
