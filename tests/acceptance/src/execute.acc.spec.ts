import { beforeAll, describe, expect, it } from '@jest/globals';
import { fullResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { billingRuleOf, freeCall, paidCall, perKilobyteCall, perRowCall, priceOf } from './support/tools.js';

let account: TestAccount;
let price: number;
beforeAll(async () => {
  account = await newAccount();
  price = await priceOf(account.key, paidCall.toolId);
});

const success = { outcome: 'success', reason_code: 'result.valid', provider_success: true, result_valid: true };

describe('POST /tools/execute', () => {
  it('answers the result, the bill and what remains of a paid call', async () => {
    const { key } = await newAccount(100);
    const reply = await execute(key, paidCall, { session_id: 'task-1', model: 'test-model' });
    expect(reply.status).toBe(200);
    expectShape(reply.json, fullResponse);
    expect(reply.json['execution_outcome']).toEqual(expect.objectContaining({ ...success, billable_success: true }));
    expect(asObject(reply.json['billing'])['list_amount_credits']).toBe(price);
    expect(reply.json['cost']).toBe(price);
    expect(micro(reply.json['remaining_credits'])).toBe(micro(100) - micro(price));
  });

  it('runs a free tool, also for an account that has nothing', async () => {
    const { key } = await newAccount(0);
    const reply = await execute(key, freeCall);
    expect(reply.status).toBe(200);
    expectShape(reply.json, fullResponse);
    expect(asObject(reply.json['billing'])['list_amount_credits']).toBe(0);
    const row = await settledUsageOf(key, reply.json['execution_id']);
    expect(row['charge_outcome']).toBe('included');
    expect(row['credits_ledger_entry_id'] ?? null).toBeNull();
  });

  it('takes the tool from the query as well as from the body', async () => {
    const reply = await call('POST', '/tools/execute', {
      key: account.key,
      query: { tool_id: freeCall.toolId },
      body: { parameters: freeCall.parameters },
    });
    expectShape(reply.json, fullResponse);
    const both = await execute(account.key, freeCall, {}, { query: { tool_id: freeCall.toolId } });
    expectShape(both.json, fullResponse);
  });

  it.each(['default', 'bypass'])('accepts the cache mode %s', async (mode) => {
    const reply = await execute(account.key, freeCall, {}, { headers: { 'x-service-cache-mode': mode } });
    expectShape(reply.json, fullResponse);
  });

  it('ignores fields that it does not know, and search_id null', async () => {
    const reply = await execute(account.key, freeCall, { search_id: null, from_the_future: [1] });
    expectShape(reply.json, fullResponse);
  });

  it('never takes an execution_id from the caller', async () => {
    const execution_id = `exec_${'0'.repeat(32)}`;
    const reply = await execute(
      account.key,
      freeCall,
      { execution_id },
      { headers: { 'x-execution-id': execution_id } },
    );
    expectShape(reply.json, fullResponse);
    expect(reply.json['execution_id']).not.toBe(execution_id);
  });

  it('bills rows of the result by the published rule', async () => {
    const reply = await execute(account.key, perRowCall, { max_response_size: -1 });
    expectShape(reply.json, fullResponse);
    const rows = asArray(asObject(asObject(reply.json['result'])['data'])['rows']);
    await expectBilled(reply.json, perRowCall.toolId, rows.length);
  });

  it('bills started kilobytes of the text by the published rule', async () => {
    const reply = await execute(account.key, perKilobyteCall);
    expectShape(reply.json, fullResponse);
    const text = asString(perKilobyteCall.parameters[perKilobyteCall.meteredParameter]);
    await expectBilled(reply.json, perKilobyteCall.toolId, Math.ceil(Buffer.byteLength(text, 'utf8') / 1_024));
  });
});

/** The bill, and later the charge, are amount × units, or the minimum where that is more. */
async function expectBilled(body: JsonObject, toolId: string, units: number): Promise<void> {
  const rule = await billingRuleOf(account.key, toolId);
  const expected = Math.max(micro(rule['amount_credits']) * units, micro(rule['minimum_charge_credits'] ?? 0));
  expect(micro(asObject(body['billing'])['list_amount_credits'])).toBe(expected);
  const row = await settledUsageOf(account.key, body['execution_id']);
  expect(micro(row['actual_amount_credits'])).toBe(expected);
}
