import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import { account, keyOf, RunningGateway, validKey } from '../test-support/running-gateway.js';

describe('an address that keeps presenting invalid keys', () => {
  let gateway: RunningGateway;
  beforeEach(() => {
    gateway = new RunningGateway();
  });
  afterEach(() => gateway.stop());

  const get = (key: string): Promise<Response> => gateway.fetch('/api/v1/auth/credits', {}, key);
  const statusOf = async (key: string): Promise<number> => (await get(key)).status;

  it('is told to wait, and identity is not asked about its further guesses', async () => {
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '2' });
    const statuses = [];
    for (let number = 0; number < 4; number += 1) statuses.push(await statusOf(keyOf(number)));
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(gateway.identity.seen).toHaveLength(2);
    const refused = await gateway.post('/api/v1/search', { query: 'a' }, keyOf(9));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([refused.headers.get('x-ratelimit-limit'), refused.headers.get('x-ratelimit-remaining')]).toEqual([
      '2',
      '0',
    ]);
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1_000));
    expect(await refused.json()).toMatchObject({ status: 'failure', status_code: 429, data: null });
  });

  it('is not blocked by text that is no key of ours: 401 at once, and identity is not asked', async () => {
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '1' });
    const last = validKey.at(-1) === 'a' ? 'b' : 'a';
    const garbage = [
      `sk-${'a'.repeat(40)}`,
      `sk-proj-${'x'.repeat(40)}`,
      `${validKey.slice(0, -1)}${last}`,
      'nonsense',
    ];
    for (const text of [...garbage, ...garbage]) expect([text, await statusOf(text)]).toEqual([text, 401]);
    expect(gateway.identity.seen).toHaveLength(0);
    // A whole key that nobody was given still counts.
    expect([await statusOf(keyOf(1)), await statusOf(keyOf(2))]).toEqual([401, 429]);
  });

  it('still gets through with a key that is in memory', async () => {
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '1' });
    expect(await statusOf(validKey)).toBe(200);
    expect(await statusOf(keyOf(1))).toBe(401);
    expect(await statusOf(keyOf(2))).toBe(429);
    expect(await statusOf(validKey)).toBe(200);
  });

  it('still gets through with a key that was valid within the last hour, and identity is asked about it', async () => {
    const clock = new ManualClock(0);
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '1' }, {}, clock);
    expect(await statusOf(validKey)).toBe(200);
    clock.advanceMs(3_599_999);
    expect(await statusOf(keyOf(1))).toBe(401);
    expect(await statusOf(keyOf(2))).toBe(429);
    const asked = gateway.identity.seen.length;
    expect(await statusOf(validKey)).toBe(200);
    expect(gateway.identity.seen).toHaveLength(asked + 1);
  });

  it('does not get through with a key that was valid before that, nor with one that was revoked', async () => {
    const clock = new ManualClock(0);
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '1' }, {}, clock);
    expect(await statusOf(validKey)).toBe(200);
    clock.advanceMs(3_600_000);
    expect([await statusOf(keyOf(1)), await statusOf(validKey)]).toEqual([401, 429]);
    clock.advanceMs(60_000);
    expect(await statusOf(validKey)).toBe(200);
    gateway.revoke(account.apiKeyId ?? '');
    const asked = gateway.identity.seen.length;
    expect([await statusOf(keyOf(3)), await statusOf(validKey)]).toEqual([401, 429]);
    expect(gateway.identity.seen).toHaveLength(asked + 1);
  });
});
