import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { approvedByKey, openAndSend, submit } from './support/device-consent.js';
import { DeviceProgram } from './support/device-program.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send } from './support/http.js';
import { asObject, asString } from './support/json.js';
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

  it.each([
    ['whoever gave it', () => ['/auth/oauth-consents', account.key] as const],
    ['an administrator', () => ['/admin/v1/oauth-consents', adminKey] as const],
  ])('loses everything on every replica before the end of its consent by %s is answered', async (_who, as) => {
    const name = `a terminal ${randomUUID()}`;
    const program = await DeviceProgram.begin(account, name);
    const given = (await approvedByKey(program, account.key)).json;
    const token = asString(given['access_token']);
    expect(await reads(token)).toEqual(everywhere(200));
    const listed = asObject((await call('GET', '/auth/oauth-consents', { key: account.key })).json['data']);
    const items = listed['items'] as readonly Record<string, unknown>[];
    const consent = items.find((item) => item['client_id'] === program.clientId);
    expect(consent).toMatchObject({ client_name: name, scopes: ['call', 'read'], api_key_id: account.keyId });
    const [path, key] = as();
    const url = `${path}/${asString(consent?.['consent_id'])}`;
    await eventually(async () => {
      const ended = key === adminKey ? await send('DELETE', url, { key }) : await call('DELETE', url, { key });
      expect(ended.status).toBe(200);
      // A replica of a spec before that is gone is waited for until its lease ends.
      expect(asObject(ended.json['data'])).not.toHaveProperty('pending');
    });
    expect(await reads(token)).toEqual(everywhere(401));
    expect(await program.refresh(asString(given['refresh_token']))).toMatchObject({ json: { error: 'invalid_grant' } });
  });
});
