import { beforeAll, describe, expect, it } from '@jest/globals';
import { invalidCall } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, remainingCredits, settledUsageOf } from './support/audit.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { freeCall, oneOfCall, paidCall, typedCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** A 422 in Execute shape; gives its first detail. */
function expectInvalid(reply: Reply): JsonObject {
  expect(reply.status).toBe(422);
  expectShape(reply.json, invalidCall);
  return asObject(asArray(reply.json['details'])[0], 'details[0]');
}

const post = (body: unknown, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  call('POST', '/tools/execute', { key: account.key, body, query, headers });

describe('POST /tools/execute, which tool', () => {
  it('says that tool_id is required, as query or in the body', async () => {
    const reply = await post({ parameters: {} });
    expect(expectInvalid(reply)).toEqual(expect.objectContaining({ type: 'missing' }));
    expect(reply.json['error_message']).toMatch(/tool_id.*(query|body)/);
  });

  it('rejects different tools in query and body', async () => {
    const body = { tool_id: freeCall.toolId, parameters: freeCall.parameters };
    expectInvalid(await post(body, { tool_id: paidCall.toolId }));
  });

  it.each([
    ['unknown', 'nobody.nothing.never.v1'],
    ['no tool id', 'not a tool id'],
    ['a number', '12345'],
    ['far too long', 'x'.repeat(5_000)],
  ])('says to search again when the tool id is %s', async (_what, toolId) => {
    const reply = await post({ tool_id: toolId, parameters: {} });
    expect(expectInvalid(reply)['loc']).toEqual(['body', 'tool_id']);
    expect(reply.json['error_message']).toMatch(/search/i);
    const inQuery = await post({ parameters: {} }, { tool_id: toolId });
    expect(expectInvalid(inQuery)['loc']).toEqual(['query', 'tool_id']);
  });
});

describe('POST /tools/execute, the request', () => {
  const invalid: readonly [string, JsonObject, string][] = [
    ['no parameters', { parameters: undefined }, 'parameters'],
    ['parameters that are no object', { parameters: [1] }, 'parameters'],
    ['parameters null', { parameters: null }, 'parameters'],
    ['max_response_size 0', { max_response_size: 0 }, 'max_response_size'],
    ['max_response_size -2', { max_response_size: -2 }, 'max_response_size'],
    ['max_response_size 1.5', { max_response_size: 1.5 }, 'max_response_size'],
    ['max_response_size as a string', { max_response_size: '100' }, 'max_response_size'],
    ['an unknown respond_with', { respond_with: 'everything' }, 'respond_with'],
    ['respond_with fields without an expression', { respond_with: 'fields:' }, 'respond_with'],
    ['respond_with fields of blanks', { respond_with: 'fields: , ' }, 'respond_with'],
    ['respond_with that is no JSONPath', { respond_with: 'fields:$.[' }, 'respond_with'],
    ['a model that is no string', { model: 7 }, 'model'],
    ['a session_id that is no string', { session_id: [] }, 'session_id'],
  ];
  it.each(invalid)('answers 422 and names the field: %s', async (_what, change, field) => {
    const detail = expectInvalid(await execute(account.key, freeCall, change));
    expect(detail['loc']).toContain(field);
  });

  it('rejects an unknown cache mode', async () => {
    const body = { tool_id: freeCall.toolId, parameters: freeCall.parameters };
    expectInvalid(await post(body, {}, { 'x-service-cache-mode': 'turbo' }));
  });

  it.each([
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
  ])('rejects %s as body', async (_what, rawBody) => {
    expectInvalid(await call('POST', '/tools/execute', { key: account.key, rawBody }));
  });
});

describe('POST /tools/execute, the parameters', () => {
  const { required, optional } = typedCall;
  const withParameters = (parameters: JsonObject) => execute(account.key, { ...typedCall, parameters });

  it('names a required parameter that is missing', async () => {
    const { [required]: _left, ...rest } = typedCall.parameters;
    expect(expectInvalid(await withParameters(rest))).toEqual(
      expect.objectContaining({ type: 'missing', loc: ['body', 'parameters', required], input: null }),
    );
  });

  it('names a parameter of the wrong type', async () => {
    const reply = await withParameters({ ...typedCall.parameters, [required]: { not: 'this' } });
    const detail = expectInvalid(reply);
    expect(detail['loc']).toEqual(['body', 'parameters', required]);
    expect(detail['type']).toMatch(/_type$/);
  });

  it('takes an unknown parameter for a slip of the pen and tells the nearest name', async () => {
    const reply = await withParameters({ ...typedCall.parameters, [`${optional}x`]: 1 });
    const detail = expectInvalid(reply);
    expect(detail).toEqual(
      expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'parameters', `${optional}x`] }),
    );
    expect(detail['msg']).toContain(`"${optional}"`);
    const known = expect.arrayContaining([optional, required]);
    expect(detail['allowed']).toEqual({ propertyNames: { enum: known } });
  });

  it('asks for one of a group of parameters when none is there', async () => {
    const parameters = Object.fromEntries(
      Object.entries(oneOfCall.parameters).filter(([name]) => !oneOfCall.group.includes(name)),
    );
    const detail = expectInvalid(await execute(account.key, { ...oneOfCall, parameters }));
    for (const name of oneOfCall.group) expect(detail['msg']).toContain(name);
  });

  it('charges nothing for a refusal and leaves one audit row of it', async () => {
    const before = await remainingCredits(account.key);
    const reply = await execute(account.key, { ...paidCall, parameters: { no_such_parameter: true } });
    expectInvalid(reply);
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row).toEqual(
      expect.objectContaining({
        event_type: 'tool_execute',
        success: false,
        reason_code: 'validation_error',
        charge_outcome: 'failed_not_charged',
        tool_id: paidCall.toolId,
      }),
    );
    expect(await remainingCredits(account.key)).toBe(before);
    expect(await listCharges(account.key)).toEqual([]);
  });
});
