/**
 * OWASP API6:2023. Attacked: what is worth credits, by whoever repeats it or does many at once. One charge for an idempotency key is in
 * `idempotency`, a balance that many spend in `overspend`; caps of trials and bonuses by address, network and day in
 * `trial-registrations.int` and `claims.int` of identity. Here are one trial that is turned into more, and guesses of its code.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { remainingCredits } from '../support/audit.js';
import { call, send, type Reply } from '../support/http.js';
import { asNumber, asObject, asString, type JsonObject } from '../support/json.js';
import { codeMailedTo } from '../support/mails.js';

const TRIES = 5;

let agent: JsonObject;
let key: string;
const register = async (): Promise<JsonObject> =>
  asObject((await call('POST', '/agent/anonymous-register', { body: { agent_name: 'a trial' } })).json['data']);
const ask = (path: string, body: object): Promise<Reply> => call('POST', `/agent/${path}`, { body });
const others = (code: string): string[] =>
  Array.from({ length: TRIES }, (_, index) => String((Number(code) + 1 + index) % 1e6).padStart(6, '0'));

beforeAll(async () => {
  agent = await register();
  key = asString(agent['api_key']);
});

describe('a trial', () => {
  it.each<[string, string, string, object?]>([
    ['a key beside its own', 'POST', '/auth/api-keys', { name: 'another', scopes: ['call'] }],
    ['a project', 'POST', '/auth/projects', { name: 'another' }],
    ['credentials for providers', 'PUT', '/auth/provider-credentials/anybody', { fields: { token: 'x' } }],
  ])('gives itself not %s', async (_what, method, path, body) => {
    expect((await call(method, path, { key, ...(body === undefined ? {} : { body }) })).status).toBe(403);
  });

  it('gives itself no credits', async () => {
    const accountId = asString(agent['account_id']);
    const body = { amount_credits: 1, kind: 'purchased', reference: 'mine' };
    expect((await send('POST', `/admin/v1/accounts/${accountId}/grants`, { key, body })).status).toBe(403);
    expect(await remainingCredits(key)).toBe(asNumber(agent['trial_credits']));
  });

  it('is claimed by nobody who guesses, twenty at once: five tries, and then the true code is none either', async () => {
    const email = `guessed-${randomUUID()}@example.org`;
    const claim = { claim_code: agent['claim_code'], email };
    expect((await ask('claim', claim)).json['data']).toMatchObject({ status: 'code_sent' });
    const code = asString(await codeMailedTo(email), 'code');
    const guesses = [...others(code), ...others(code), ...others(code), ...others(code)];
    const statuses = await Promise.all(
      guesses.map(async (guess) => (await ask('claim-verify', { ...claim, code: guess })).status),
    );
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    const late = await ask('claim-verify', { ...claim, code });
    expect(late.status).toBeGreaterThanOrEqual(400);
    expect(late.status).toBeLessThan(500);
    expect(await remainingCredits(key)).toBe(asNumber(agent['trial_credits']));
  });

  it('whose mailbox had a bonus under another spelling gets none again', async () => {
    const name = `once-${randomUUID()}`;
    const bonuses: number[] = [];
    const statuses: number[] = [];
    for (const email of [`${name}@example.org`, `${name.toUpperCase()}+again@EXAMPLE.org`]) {
      const trial = await register();
      await ask('claim', { claim_code: trial['claim_code'], email });
      const code = (await codeMailedTo(email.toLowerCase())) ?? '000000';
      const claimed = await ask('claim-verify', { claim_code: trial['claim_code'], email, code });
      statuses.push(claimed.status);
      const credits = claimed.status === 200 ? asNumber(asObject(claimed.json['data'])['remaining_credits']) : 0;
      bonuses.push(Math.max(0, credits - asNumber(trial['trial_credits'])));
    }
    // No code is mailed to a mailbox that has an account: what stands for one is wrong.
    expect(statuses).toEqual([200, 422]);
    expect(bonuses).toEqual([expect.any(Number), 0]);
    expect(bonuses[0]).toBeGreaterThan(0);
  });
});
