import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway, validKey } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

const path = '/api/v1/oauth/token';
const form = 'application/x-www-form-urlencoded';
const body = 'grant_type=client_credentials&scope=a%20b';
const asClient = (init: RequestInit = {}): Promise<Response> =>
  gateway.fetch(
    path,
    { method: 'POST', body, headers: { 'content-type': form, authorization: 'Basic eA==' }, ...init },
    '',
  );

describe('a route whose service reads Authorization itself', () => {
  it('gets the header and the bytes of the form, and its challenge reaches the caller', async () => {
    gateway.identity.behave = (_request, response) =>
      response
        .writeHead(401, { 'www-authenticate': 'Basic realm="oauth"', 'cache-control': 'no-store' })
        .end('{"error":"invalid_client"}');
    const reply = await asClient();
    expect([reply.status, await reply.json()]).toEqual([401, { error: 'invalid_client' }]);
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="oauth"');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const seen = gateway.identity.seen.at(-1);
    expect([seen?.body, seen?.headers['content-type'], seen?.headers['x-caller-authorization']]).toEqual([
      body,
      form,
      'Basic eA==',
    ]);
    expect(seen?.headers['authorization']).toMatch(/^Bearer /);
  });

  it('gets two such headers as what no reader takes for one of them', async () => {
    gateway.identity.behave = (_request, response) => response.writeHead(200).end('{}');
    const options = { method: 'POST', headers: { 'content-type': form } };
    await new Promise<void>((resolve, reject) => {
      const sent = httpRequest(`${gateway.url}${path}`, options, (response) => response.resume().once('end', resolve));
      sent.setHeader('authorization', ['Basic eA==', 'Basic eQ==']).once('error', reject).end(body);
    });
    expect(gateway.identity.seen.at(-1)?.headers['x-caller-authorization']).toBe('Basic eA==, Basic eQ==');
  });

  it('takes nothing from a caller that says what the caller sent', async () => {
    gateway.identity.behave = (_request, response) => response.writeHead(200).end('{}');
    await asClient({ headers: { 'content-type': form, 'x-caller-authorization': 'Basic Zm9yZ2Vk' } });
    expect(gateway.identity.seen.at(-1)?.headers['x-caller-authorization']).toBeUndefined();
  });

  it.each([
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['text', { headers: { 'content-type': 'text/plain' } }],
    ['a compressed form', { headers: { 'content-type': form, 'content-encoding': 'gzip' } }],
    ['nothing', { body: null }],
    ['a form that is too large', { headers: { 'content-type': form }, body: 'x'.repeat(3_000_000) }],
  ])('refuses %s in the words of OAuth', async (_what, init) => {
    const reply = await asClient(init);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
    expect(gateway.identity.seen.filter((seen) => seen.path === path)).toEqual([]);
  });
});

describe('a credential', () => {
  /** With the header as often as it is given. */
  const status = (...values: string[]): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { headers: { 'content-type': 'application/json' }, method: 'POST' };
      const sent = httpRequest(`${gateway.url}/api/v1/search`, options, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.setHeader('authorization', values).once('error', reject).end('{}');
    });

  it('is taken from one header, in any case of its scheme, and from nowhere else', async () => {
    expect(await status(`Bearer ${validKey}`)).toBe(200);
    expect(await status(`bearer ${validKey}`)).toBe(200);
    expect(await status(`Bearer ${validKey}`, `Bearer ${validKey}`)).toBe(401);
    expect(await status(`Bearer ${validKey}`, 'Basic eA==')).toBe(401);
    for (const query of [`access_token=${validKey}`, `api_key=${validKey}`, `key=${validKey}`]) {
      expect((await gateway.post(`/api/v1/search?${query}`, {}, '')).status).toBe(401);
    }
  });

  it('may be an access token, which is asked about once and refused as soon as it is revoked', async () => {
    const token = `eyJhbGciOiJSUzI1NiJ9.${'a'.repeat(300)}.${'b'.repeat(300)}`;
    gateway.scopesOfKey.set(token, ['call']);
    for (let turn = 0; turn < 3; turn += 1) expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(200);
    expect(gateway.identity.seen).toHaveLength(1);
    const lacking = await gateway.fetch('/api/v1/auth/credits', {}, token);
    expect(lacking.status).toBe(403);
    expect(lacking.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="read"');
    gateway.scopesOfKey.delete(token);
    gateway.end('OAuthTokenRevoked', { tokenId: 'another' });
    expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(200);
    gateway.end('OAuthTokenRevoked', { tokenId: 'token-1' });
    expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(401);
  });

  it('is refused as soon as the consent that it comes from is revoked', async () => {
    const token = `eyJhbGciOiJSUzI1NiJ9.${'c'.repeat(300)}.${'d'.repeat(300)}`;
    gateway.scopesOfKey.set(token, ['call']);
    expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(200);
    gateway.scopesOfKey.delete(token);
    gateway.end('OAuthFamilyRevoked', { familyId: 'family-2', clientId: 'client', reason: 'client' });
    expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(200);
    gateway.end('OAuthFamilyRevoked', { familyId: 'family-1', clientId: 'client', reason: 'reuse' });
    expect((await gateway.post('/api/v1/search', {}, token)).status).toBe(401);
  });
});
