import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { adminKey, RunningGateway, unknownKey, validKey } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

const path = '/admin/v1/catalog:import';
const ndjson = { 'content-type': 'application/x-ndjson' };

describe('a route that streams', () => {
  let gateway: RunningGateway;
  beforeEach(() => {
    gateway = new RunningGateway();
  });
  afterEach(() => gateway.stop());

  /** Sends without saying how long the body is. */
  async function sendChunks(chunks: readonly string[], then: 'end' | 'hang up'): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { ...ndjson, authorization: `Bearer ${adminKey}` },
      });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      for (const chunk of chunks) sent.write(chunk);
      if (then === 'end') sent.end();
      else setTimeout(() => sent.destroy(new Error('hung up')), 100);
    });
  }

  it('passes on bodies far larger than others may be, unread, and the answer back', async () => {
    await gateway.start();
    gateway.upstream.answer(200, '{"row":1}\n', { 'content-type': 'application/x-ndjson', 'x-secret': 'no' });
    const body = `${'x'.repeat(3_000_000)}\n`;
    const answer = await gateway.post(`${path}?dry_run=true`, body, adminKey, ndjson);
    expect([answer.status, await answer.text()]).toEqual([200, '{"row":1}\n']);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('x-secret')).toBeNull();
    expect(gateway.upstream.seen).toMatchObject([{ path: `${path}?dry_run=true`, body }]);
    const tokens = await gateway.tokensOf('registry');
    const assertion = String(gateway.upstream.seen[0]?.headers['x-account-assertion']);
    expect(await tokens.verifyAssertion(assertion)).toMatchObject({ scopes: ['admin'] });
  });

  it('takes the manifest of a provider by PUT, as JSON or YAML', async () => {
    await gateway.start();
    for (const type of ['application/json', 'application/yaml; charset=utf-8']) {
      const init = { method: 'PUT', body: 'a: 1', headers: { 'content-type': type } };
      expect((await gateway.fetch('/admin/v1/providers/acme', init, adminKey)).status).toBe(200);
    }
    expect(gateway.upstream.seen.map(({ method, body }) => [method, body])).toEqual([
      ['PUT', 'a: 1'],
      ['PUT', 'a: 1'],
    ]);
  });

  it('passes on a request without a body where the route needs none, and refuses it elsewhere', async () => {
    await gateway.start();
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const init = { method: 'POST', headers };
      expect((await gateway.fetch('/admin/v1/sources/acme:refresh', init, adminKey)).status).toBe(200);
      expect((await gateway.fetch('/admin/v1/sources/acme:refresh', init, validKey)).status).toBe(403);
    }
    const passed = { body: '{}', headers: { 'content-type': 'application/json' } };
    expect(gateway.upstream.seen).toMatchObject([passed, passed]);
    expect((await gateway.fetch(path, { method: 'POST' }, adminKey)).status).toBe(415);
    expect((await gateway.fetch('/admin/v1/sources/mcp', { method: 'POST' }, adminKey)).status).toBe(415);
  });

  it('is closed without the admin scope, before the body is read', async () => {
    await gateway.start();
    expect((await gateway.post(path, 'x', validKey, ndjson)).status).toBe(403);
    expect((await gateway.post(path, 'x', unknownKey, ndjson)).status).toBe(401);
    expect(gateway.upstream.seen).toEqual([]);
  });

  it('refuses other types, encodings and bodies beyond its limit, whether their length is said or not', async () => {
    await gateway.start({ STREAMED_BODY_LIMIT_BYTES: '2048' });
    const other = await gateway.post(path, 'x', adminKey, { 'content-type': 'text/csv' });
    expect([other.status, await other.json()]).toEqual([
      415,
      {
        status: 'failure',
        message: expect.stringMatching(/application\/x-ndjson.*application\/yaml/),
        ...toldError('unsupported_media_type'),
      },
    ]);
    expect((await gateway.post(path, 'x', adminKey, { ...ndjson, 'content-encoding': 'gzip' })).status).toBe(415);
    const large = await gateway.post(path, 'x'.repeat(2_049), adminKey, ndjson);
    expect([large.status, await large.json()]).toEqual([
      413,
      { status: 'failure', message: expect.stringContaining('at most 2048 bytes'), ...toldError('body_too_large') },
    ]);
    expect(await sendChunks(['x'.repeat(1_500), 'x'.repeat(1_500)], 'end')).toBe(413);
    expect(await sendChunks(['x'.repeat(1_000), 'x'.repeat(1_000)], 'end')).toBe(200);
  });

  it('breaks the exchange off when the caller hangs up, and goes on serving', async () => {
    await gateway.start();
    await expect(sendChunks(['x'.repeat(100_000)], 'hang up')).rejects.toThrow('hung up');
    expect(gateway.upstream.seen).toEqual([]);
    expect((await gateway.post(path, 'x', adminKey, ndjson)).status).toBe(200);
  });

  it('breaks its answer off where the service does, and goes on serving', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"row":1}\n');
      setTimeout(() => response.destroy(), 50);
    };
    const answer = await gateway.post(path, 'x', adminKey, ndjson);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    gateway.upstream.answer(200, '{}');
    expect((await gateway.post(path, 'x', adminKey, ndjson)).status).toBe(200);
  });

  it('leaves the other routes of administration to identity', async () => {
    await gateway.start();
    const verify = gateway.identity.behave;
    gateway.identity.behave = (seen, response, socket) =>
      seen.path.startsWith('/internal/') ? verify(seen, response, socket) : response.end('{}');
    await gateway.fetch('/admin/v1/accounts/x/api-keys', {}, adminKey);
    expect(gateway.identity.seen.map((seen) => seen.path)).toContain('/admin/v1/accounts/x/api-keys');
    for (const read of [
      '/tools',
      '/tools/a.b.c.v1',
      '/tools/a.b.c.v1/versions/1/diff/2',
      '/providers/acme',
      '/schemas/manifest',
    ]) {
      expect((await gateway.fetch(`/admin/v1${read}`, {}, adminKey)).status).toBe(200);
    }
    expect((await gateway.fetch('/admin/v1/tools/a.b.c.v1:retire', { method: 'POST' }, adminKey)).status).toBe(200);
    expect(gateway.upstream.seen).toHaveLength(6);
  });
});
