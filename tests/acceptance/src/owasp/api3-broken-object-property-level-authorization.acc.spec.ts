/**
 * OWASP API3:2023. Attacked: members that are not the caller's to write (mass assignment) or to read. That every answer has the
 * members of its shape is held in every acceptance test; `__proto__` and members twice are in `execute-hostile-input`.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, newKey, type TestAccount } from '../support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from '../support/audit.js';
import { execute } from '../support/execute.js';
import { call } from '../support/http.js';
import { asArray, asObject, asString, type JsonObject } from '../support/json.js';
import { paidCall, priceOf } from '../support/tools.js';

let account: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  [account, other] = await Promise.all([newAccount(), newAccount()]);
});

describe('members that are not for callers to write', () => {
  it.each<[string, string, JsonObject]>([
    ['the state of a project', '/auth/projects', { name: 'a project', state: 'closed', project_id: 'mine' }],
    ['the account of a project', '/auth/projects', { name: 'a project', account_id: 'acc_other' }],
    ['the account of a key', '/auth/api-keys', { name: 'a key', scopes: ['read'], account_id: 'acc_other' }],
    ['the text of a key', '/auth/api-keys', { name: 'a key', scopes: ['read'], api_key: 'sk-mine' }],
  ])('are refused by name: %s', async (_what, path, body) => {
    const reply = await call('POST', path, { key: account.key, body });
    expect(reply.status).toBe(422);
    expect(reply.json['message']).toEqual(expect.stringMatching(/state|project_id|account_id|api_key|scopes/));
  });

  it('give no key a scope that its maker lacks', async () => {
    const body = { name: 'a key', scopes: ['admin'] };
    expect((await call('POST', '/auth/api-keys', { key: account.key, body })).status).toBe(403);
  });

  it('do not change what a call costs, whose it is, and what it is worth', async () => {
    const price = await priceOf(account.key, paidCall.toolId);
    const reply = await execute(account.key, paidCall, {
      account_id: other.accountId,
      price: 0,
      cost: 0,
      billing: { list_amount_credits: 0 },
      billing_rule: { unit: 'call', amount_credits: 0 },
      execution_id: `exec_${'0'.repeat(32)}`,
      charge_outcome: 'included',
    });
    expect([reply.status, reply.json['cost']]).toEqual([200, price]);
    expect(reply.json['execution_id']).not.toBe(`exec_${'0'.repeat(32)}`);
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row).toMatchObject({ charge_outcome: 'charged', actual_amount_credits: price });
    expect(await remainingCredits(other.key)).toBe(other.initialCredits);
    expect(await listCharges(other.key)).toEqual([]);
  });

  it('give a trial no credits, no scopes and no account of its choice', async () => {
    const chosen = { trial_credits: 1e6, scopes: ['admin'], account_id: account.accountId, kind: 'formal' };
    const reply = await call('POST', '/agent/anonymous-register', { body: { agent_name: 'greedy', ...chosen } });
    const agent = asObject(reply.json['data']);
    expect(agent['account_id']).not.toBe(account.accountId);
    expect(await remainingCredits(asString(agent['api_key']))).toBeLessThan(chosen.trial_credits);
    const managed = await call('GET', '/auth/api-keys', { key: asString(agent['api_key']) });
    expect(managed.status).toBe(403);
  });

  it('do not widen a key by its rotation', async () => {
    const { keyId } = await newKey(account.accountId, ['read']);
    const body = { scopes: ['call', 'read', 'manage'] };
    const reply = await call('POST', `/auth/api-keys/${keyId}:rotate`, { key: account.key, body });
    expect([reply.status, reply.json['message']]).toEqual([422, expect.stringContaining('"scopes"')]);
  });
});

describe('members that are not for callers to read', () => {
  it('are in no list of the audit: what was sent and answered is told where it is asked for alone', async () => {
    const called = await execute(account.key, paidCall);
    const executionId = asString(called.json['execution_id']);
    await settledUsageOf(account.key, executionId);
    const itemsBy = async (query: Record<string, string>): Promise<JsonObject[]> => {
      const reply = await call('GET', '/auth/usage/history/v2', { key: account.key, query });
      return asArray(asObject(reply.json['data'])['items']).map((item) => asObject(item));
    };
    const [alone = {}] = await itemsBy({ execution_id: executionId, include_details: 'true' });
    const listed = (await itemsBy({})).find((item) => item['execution_id'] === executionId) ?? {};
    const payloads = ['request_payload', 'response_payload_summary'];
    expect(Object.keys(alone)).toEqual(expect.arrayContaining(payloads));
    expect([listed['execution_id'], ...payloads.filter((name) => name in listed)]).toEqual([executionId]);
  });

  it('are not in tools: how a tool is reached is its publisher’s', async () => {
    const reply = await call('POST', '/tools/by-ids', { key: account.key, body: { tool_ids: [paidCall.toolId] } });
    for (const name of ['binding', 'egress', 'credentials', 'auth', 'url']) {
      expect(asObject(asArray(reply.json['results'])[0])).not.toHaveProperty(name);
    }
  });
});
