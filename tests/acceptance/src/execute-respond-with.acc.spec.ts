import { beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsResponse, fullResponse, summaryResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { asObject, asString } from './support/json.js';
import { largeCall, paidCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

describe('respond_with', () => {
  it('full is the default', async () => {
    const reply = await execute(account.key, paidCall, { respond_with: 'full' });
    expectShape(reply.json, fullResponse);
  });

  it('summary answers statistics and a link to the whole, whatever max_response_size is', async () => {
    const whole = await execute(account.key, largeCall, { max_response_size: -1 });
    const data = asObject(whole.json['result'])['data'];
    const reply = await execute(account.key, largeCall, { respond_with: 'summary', max_response_size: 1 });
    expect(reply.status).toBe(200);
    expectShape(reply.json, summaryResponse);
    const result = asObject(reply.json['result']);
    expect(asObject(result['summary'])['size_bytes']).toBe(Buffer.byteLength(JSON.stringify(data), 'utf8'));
    const download = await fetch(asString(result['full_content_file_url']), { redirect: 'manual' });
    expect(await download.json()).toEqual(data);
  });

  it('fields answers the chosen values by the last part of their path', async () => {
    const whole = await execute(account.key, paidCall);
    const data = asObject(asObject(whole.json['result'])['data']);
    const [name] = Object.keys(data);
    const expression = `fields:$.${name ?? ''}`;
    const reply = await execute(account.key, paidCall, { respond_with: expression });
    expect(reply.status).toBe(200);
    expectShape(reply.json, fieldsResponse(expression));
    expect(asObject(reply.json['result'])['data']).toEqual({ [name ?? '']: data[name ?? ''] });
  });

  it('charges the same as a full answer', async () => {
    const full = await execute(account.key, paidCall);
    const fields = await execute(account.key, paidCall, { respond_with: 'fields:$.nothing_by_this_name' });
    expect(fields.json['cost']).toBe(full.json['cost']);
  });
});
