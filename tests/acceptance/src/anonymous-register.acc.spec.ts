import { beforeAll, describe, expect, it } from '@jest/globals';
import { credits, envelope, listOf, registration, validationDetail } from '@capability-router/contracts/answers';
import { expectShape } from './support/expect-shape.js';
import { call, type Reply } from './support/http.js';
import { asArray, asNumber, asObject, asString, type JsonObject } from './support/json.js';

let reply: Reply;
let agent: JsonObject;
beforeAll(async () => {
  const body = { agent_name: 'acceptance agent', model: 'test-model', purpose: 'to be tested' };
  reply = await call('POST', '/agent/anonymous-register', { body });
  agent = asObject(reply.json['data'], 'data');
});

describe('POST /agent/anonymous-register', () => {
  it('answers a key, a claim code and trial credits without a credential', () => {
    expect(Math.floor(reply.status / 100)).toBe(2);
    expectShape(reply.json, envelope(registration));
    expect(new Date(asString(agent['expires_at'])).getTime()).toBeGreaterThan(Date.now());
  });

  it('has booked exactly the trial credits that it tells', async () => {
    const key = asString(agent['api_key']);
    // Without waiting: a trial is answered when its credits are booked.
    const data = (await call('GET', '/auth/credits', { key })).json['data'];
    expectShape(data, credits);
    expect(asObject(data)['remaining_credits']).toBe(asNumber(agent['trial_credits']));
    expect(asObject(asObject(data)['trial'])['remaining']).toBe(asNumber(agent['trial_credits']));
  });

  it('gives a key that can search', async () => {
    const found = await call('POST', '/search', { key: asString(agent['api_key']), body: { query: 'convert units' } });
    expect(found.status).toBe(200);
  });

  const invalid: readonly [string, unknown, string][] = [
    ['no agent_name', {}, 'agent_name'],
    ['an empty agent_name', { agent_name: '' }, 'agent_name'],
    ['an agent_name of 81 characters', { agent_name: 'x'.repeat(81) }, 'agent_name'],
    ['an agent_name that is no string', { agent_name: 5 }, 'agent_name'],
    ['a purpose that is no string', { agent_name: 'x', purpose: [] }, 'purpose'],
  ];
  it.each(invalid)('answers 422 and names the field: %s', async (_what, body, field) => {
    const refused = await call('POST', '/agent/anonymous-register', { body });
    expect(refused.status).toBe(422);
    expectShape(refused.json['detail'], listOf(validationDetail));
    expect(asObject(asArray(refused.json['detail'])[0])['loc']).toContain(field);
  });
});
