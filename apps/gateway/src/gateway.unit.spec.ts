import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { account, RunningGateway, validKey } from './test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('the gateway', () => {
  it('puts the contract version and a request id on every answer', async () => {
    await gateway.start();
    const answers = [
      await gateway.fetch('/api/v1/meta', { headers: { 'x-request-id': 'mine-1' } }, ''),
      await gateway.post('/api/v1/search', {}, validKey, { 'x-request-id': 'mine-1' }),
      await gateway.post('/api/v1/search', '{', validKey, { 'x-request-id': 'mine-1' }),
      await gateway.fetch('/api/v1/nothing', { headers: { 'x-request-id': 'mine-1' } }),
      await gateway.fetch('/api/v1/%zz', { headers: { 'x-request-id': 'mine-1' } }),
      await gateway.post('/api/v1/search', {}, '', { 'x-request-id': 'mine-1' }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('x-service-api-version')).toBe('2026-09-12.1');
      expect(answer.headers.get('x-request-id')).toBe('mine-1');
    }
    expect(await answers[0]?.json()).toEqual({ contract_version: '2026-09-12.1' });
    expect(gateway.upstream.seen[0]?.headers['x-request-id']).toBe('mine-1');
    const long = await gateway.fetch('/api/v1/meta', { headers: { 'x-request-id': 'x'.repeat(129) } }, '');
    expect(long.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('asks about a key once, and again only after its revocation, which it then honours', async () => {
    await gateway.start();
    await Promise.all(Array.from({ length: 20 }, () => gateway.post('/api/v1/search', {})));
    expect(gateway.identity.seen).toHaveLength(1);
    gateway.revoke(account.apiKeyId ?? '');
    expect((await gateway.post('/api/v1/search', {})).status).toBe(401);
    expect(gateway.identity.seen).toHaveLength(2);
  });
});
