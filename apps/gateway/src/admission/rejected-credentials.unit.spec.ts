import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway, unknownKey, validKey } from '../testing/running-gateway.js';

describe('an address that keeps presenting invalid keys', () => {
  let gateway: RunningGateway;
  beforeEach(() => {
    gateway = new RunningGateway();
  });
  afterEach(() => gateway.stop());

  const get = (key: string): Promise<Response> => gateway.fetch('/api/v1/auth/credits', {}, key);
  const guess = (number: number): string => `${unknownKey.slice(0, -3)}${String(number).padStart(3, '0')}`;

  it('is told to wait, and identity is not asked about its further guesses', async () => {
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '2' });
    const statuses = [];
    for (let number = 0; number < 4; number += 1) statuses.push((await get(guess(number))).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(gateway.identity.seen).toHaveLength(2);
    const refused = await gateway.post('/api/v1/search', { query: 'a' }, guess(9));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ status: 'failure', status_code: 429, data: null });
  });

  it('still gets through with a key that is known to be valid', async () => {
    await gateway.start({ RATE_LIMIT_INVALID_KEY: '1' });
    expect((await get(validKey)).status).toBe(200);
    expect((await get(guess(1))).status).toBe(401);
    expect((await get(guess(2))).status).toBe(429);
    expect((await get(validKey)).status).toBe(200);
  });
});
