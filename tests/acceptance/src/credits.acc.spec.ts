import { describe, expect, it } from '@jest/globals';
import { credits, envelope } from '@capability-router/contracts/answers';
import { newAccount } from './support/accounts.js';
import { givenApiKey } from './support/environment.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asObject } from './support/json.js';
import { micro } from './support/money.js';

describe.each(['/auth/credits', '/credits'])('GET %s', (path) => {
  it('answers the balance by category, in an envelope', async () => {
    const account = await newAccount(1_000);
    const reply = await call('GET', path, { key: account.key });
    expect(reply.status).toBe(200);
    expectShape(reply.json, envelope(credits));
    expect(reply.json['data']).toEqual(
      expect.objectContaining({
        remaining_credits: 1_000,
        held_credits: 0,
        welcome_bonus: { remaining: 1_000, initial: 1_000 },
      }),
    );
  });

  it('says nothing that its parts do not add up to', async () => {
    const account = await newAccount(12.345678);
    const data = asObject((await call('GET', path, { key: account.key })).json['data']);
    const parts = ['invite_reward', 'welcome_bonus', 'purchased', 'trial'].map((category) =>
      micro(asObject(data[category])['remaining'], category),
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    expect(sum).toBe(micro(data['remaining_credits']) + micro(data['held_credits']));
  });

  it('knows the account that a newcomer finds', async () => {
    const reply = await call('GET', path, { key: givenApiKey });
    expect(reply.status).toBe(200);
    expectShape(reply.json, envelope(credits));
  });
});
