import { beforeAll, describe, expect, it } from '@jest/globals';
import { fullResponse, truncatedResponse } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { asObject, asString } from './support/json.js';
import { largeCall } from './support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

describe('a result over max_response_size', () => {
  it('is truncated at 20,480 bytes by default, and its link gives the whole without a credential', async () => {
    const whole = await execute(account.key, largeCall, { max_response_size: -1 });
    expectShape(whole.json, fullResponse);
    const data = asObject(whole.json['result'])['data'];
    expect(bytes(JSON.stringify(data))).toBeGreaterThan(20_480);

    const reply = await execute(account.key, largeCall);
    expect(reply.status).toBe(200);
    expectShape(reply.json, truncatedResponse);
    const result = asObject(reply.json['result']);
    const preview = asString(result['truncated_content']);
    expect(bytes(preview)).toBeLessThanOrEqual(20_480);
    expect(preview.length).toBeGreaterThan(0);
    expect(JSON.stringify(data).startsWith(preview)).toBe(true);

    const download = await fetch(asString(result['full_content_file_url']), { redirect: 'manual' });
    expect(download.status).toBe(200);
    expect(await download.json()).toEqual(data);
  });

  it('is truncated at the size that the caller names, in bytes and never inside a character', async () => {
    const reply = await execute(account.key, largeCall, { max_response_size: 101 });
    expectShape(reply.json, truncatedResponse);
    const preview = asString(asObject(reply.json['result'])['truncated_content']);
    expect(bytes(preview)).toBeLessThanOrEqual(101);
    expect(preview).not.toContain('\uFFFD');
  });

  it('keeps its link from being guessed or altered', async () => {
    const reply = await execute(account.key, largeCall, { max_response_size: 10 });
    const url = new URL(asString(asObject(reply.json['result'])['full_content_file_url']));
    const last = url.href.at(-1) ?? '';
    const altered = await fetch(url.href.slice(0, -1) + (last === 'A' ? 'Q' : 'A'), { redirect: 'manual' });
    expect([403, 404, 410]).toContain(altered.status);
  });

  it('costs the same truncated and whole', async () => {
    const whole = await execute(account.key, largeCall, { max_response_size: -1 });
    const part = await execute(account.key, largeCall, { max_response_size: 10 });
    expect(asObject(part.json['billing'])['list_amount_credits']).toBe(
      asObject(whole.json['billing'])['list_amount_credits'],
    );
  });
});
