import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { call, type Reply } from './support/http.js';
import { asNumber, asObject, asString, type JsonObject } from './support/json.js';
import { codeMailedTo } from './support/mails.js';

const email = `owner-${randomUUID()}@example.org`;
let agent: JsonObject;
let key: string;
let claimed: Reply;

const ask = (path: string, body: object): Promise<Reply> => call('POST', `/agent/${path}`, { body });
const manages = async (): Promise<number> => (await call('GET', '/auth/provider-credentials', { key })).status;

beforeAll(async () => {
  agent = asObject((await ask('anonymous-register', { agent_name: 'to be claimed' })).json['data']);
  key = asString(agent['api_key']);
});

describe('a trial agent', () => {
  it('has no right to manage, and is blocked where its address does not last', async () => {
    expect(await manages()).toBe(403);
    const refused = await ask('claim', { claim_code: agent['claim_code'], email: 'a@mailinator.com' });
    expect([refused.status, refused.json['data']]).toEqual([
      200,
      { status: 'blocked', risk_code: 'disposable_email', message: expect.any(String) },
    ]);
  });

  it('is claimed by the code of the mail that comes, and by no other', async () => {
    const started = await ask('claim', { claim_code: agent['claim_code'], email, locale: 'zh' });
    expect(started.json['data']).toEqual({
      status: 'code_sent',
      claim_id: expect.any(String),
      email_masked: 'o***@example.org',
      expires_at: expect.any(String),
      resend_after_seconds: 60,
    });
    const code = await codeMailedTo(email);
    const tried = { claim_code: agent['claim_code'], email, code: code === '000000' ? '000001' : '000000' };
    expect((await ask('claim-verify', tried)).status).toBe(422);
    claimed = await ask('claim-verify', { ...tried, code });
    expect(claimed.json['data']).toEqual({
      status: 'claimed',
      account_id: agent['account_id'],
      email,
      api_key_still_valid: true,
      remaining_credits: asNumber(agent['trial_credits']) + 1_000,
    });
  });

  it('keeps its key, which manages at once at every replica, and its credits beside the bonus', async () => {
    expect(await Promise.all(Array.from({ length: 4 }, manages))).toEqual([200, 200, 200, 200]);
    const { data } = (await call('GET', '/auth/credits', { key })).json;
    expect(asObject(data)).toMatchObject({
      remaining_credits: asNumber(agent['trial_credits']) + 1_000,
      trial: { remaining: agent['trial_credits'] },
      welcome_bonus: { remaining: 1_000 },
    });
  });

  it('is claimed once', async () => {
    const again = { claim_code: agent['claim_code'], email: `other-${email}` };
    expect((await ask('claim', again)).status).toBe(422);
    expect((await ask('claim-verify', { ...again, code: '123456' })).status).toBe(422);
  });
});

describe('an address that has an account', () => {
  it('is answered as any other, and the mail has no code', async () => {
    const trial = asObject((await ask('anonymous-register', { agent_name: 'a second one' })).json['data']);
    const spelt = email.replace('@', '+second@').toUpperCase();
    const started = await ask('claim', { claim_code: trial['claim_code'], email: spelt });
    expect(started.json['data']).toMatchObject({ status: 'code_sent', email_masked: 'o***@example.org' });
    expect(await codeMailedTo(spelt.toLowerCase())).toBeUndefined();
  });
});
