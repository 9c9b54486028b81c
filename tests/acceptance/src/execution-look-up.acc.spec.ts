import { beforeAll, describe, expect, it } from '@jest/globals';
import { executionLookUp } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, type Reply } from './support/http.js';
import { asObject, asString } from './support/json.js';
import { freeCall, paidCall, priceOf } from './support/tools.js';

/** An id that was minted in January 2025: UUIDv7 begins with its milliseconds. */
const oldId = `exec_0194205c0000${'7'.padEnd(20, '0')}`;
const idOfNow = (): string => `exec_${Date.now().toString(16).padStart(12, '0')}${'7'.padEnd(20, '0')}`;

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const lookUp = (executionId: unknown, by = account): Promise<Reply> =>
  call('GET', `/tools/executions/${String(executionId)}`, { key: by.key });

describe('GET /tools/executions/{execution_id}', () => {
  it('says what a paid call came to, and by which entry of the ledger', async () => {
    const reply = await execute(account.key, paidCall);
    const executionId = asString(reply.json['execution_id'], 'execution_id');
    const usage = await settledUsageOf(account.key, executionId);
    const found = await eventually(async () => {
      const now = await lookUp(executionId);
      expect(asObject(now.json['data'], 'data')['settlement_state']).toBe('settled');
      return now;
    });
    expectShape(found.json['data'], executionLookUp);
    expect(found.json).toMatchObject({
      status: 'success',
      status_code: 0,
      data: {
        execution_id: executionId,
        execution_state: 'completed',
        provider_request_dispatched: true,
        amount_credits: await priceOf(account.key, paidCall.toolId),
        ledger_entry_id: usage['credits_ledger_entry_id'],
        retry_disposition: 'terminal',
        response: { execution_id: executionId, success: true },
        response_http_status: 200,
      },
    });
  });

  it('says of a refused call with which status, and that nothing was sent', async () => {
    const refused = await execute(account.key, { ...freeCall, parameters: { unknown: true } });
    expect(refused.status).toBe(422);
    const found = await lookUp(refused.json['execution_id']);
    expectShape(found.json['data'], executionLookUp);
    expect(found.json['data']).toMatchObject({
      execution_state: 'refused',
      provider_request_dispatched: false,
      settlement_state: 'not_applicable',
      response_http_status: 422,
    });
  });

  it('tells not yet from never', async () => {
    for (const [executionId, code] of [
      [idOfNow(), 'execution_pending'],
      [oldId, 'execution_never_ran'],
    ]) {
      const reply = await lookUp(executionId);
      expect({ status: reply.status, json: reply.json }).toMatchObject({
        status: 404,
        json: { status: 'failure', code, message: expect.any(String) },
      });
    }
  });

  it("is a 404 of another account's call, 422 of what is no id, and 401 without a key", async () => {
    const other = await newAccount();
    const { json } = await execute(other.key, freeCall);
    expect((await lookUp(json['execution_id'])).status).toBe(404);
    expect((await lookUp('exec_1')).status).toBe(422);
    expect((await call('GET', `/tools/executions/${oldId}`)).status).toBe(401);
  });
});
