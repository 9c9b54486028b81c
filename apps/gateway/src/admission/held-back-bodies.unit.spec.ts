import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@capability-router/kernel';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { account, keyOf, RunningGateway, unknownKey } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

/** Milliseconds in which a request is admitted whose credential is in memory. */
const ADMISSION_MS = 250;

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('a change whose body is held back', () => {
  it.each([
    ['manage', '/api/v1/auth/api-keys'],
    ['admin', '/admin/v1/oauth-clients'],
  ])('is refused where the credential, which has the scope %s, ended meanwhile', async (scope, path) => {
    await gateway.start();
    const key = keyOf('m');
    gateway.scopesOfKey.set(key, [scope]);
    const held = await holdBack(path, key);
    gateway.revoke(account.apiKeyId ?? '');
    const [status, challenge, body] = await held.finish('{"name":"x"}');
    expect([status, challenge]).toEqual([401, expect.stringContaining('Bearer')]);
    expect(JSON.parse(body)).toMatchObject({ status: 'failure', status_code: 401, ...toldError('invalid_api_key') });
    expect(changes(path)).toEqual([]);
  });

  it('is refused where the credential lacks the scope once the body is there', async () => {
    await gateway.start();
    const [key, path] = [keyOf('m'), '/api/v1/auth/api-keys'];
    gateway.scopesOfKey.set(key, ['read', 'manage']);
    const held = await holdBack(path, key);
    gateway.scopesOfKey.set(key, ['read']);
    gateway.end('ApiKeyScopesGranted', { apiKeyId: account.apiKeyId ?? '' });
    const [status, challenge] = await held.finish('{"name":"x"}');
    expect([status, challenge]).toEqual([403, 'Bearer error="insufficient_scope", scope="manage"']);
    expect(changes(path)).toEqual([]);
  });

  it('is answered as with every invalid key where the service finds that the credential has ended', async () => {
    await gateway.start();
    const key = keyOf('m');
    gateway.scopesOfKey.set(key, ['manage']);
    const known = await gateway.post('/api/v1/auth/api-keys', {}, unknownKey);
    gateway.identity.behave = (
      (inner) => (request, response, socket) =>
        request.path.startsWith('/api')
          ? response.writeHead(401, { 'x-credential': 'ended' }).end('{}')
          : inner(request, response, socket)
    )(gateway.identity.behave);
    const ended = await gateway.post('/api/v1/auth/api-keys', {}, key);
    expect([ended.status, ended.headers.get('www-authenticate'), ended.headers.get('x-credential')]).toEqual([
      401,
      known.headers.get('www-authenticate'),
      null,
    ]);
    const { request_id: _own, ...told } = (await ended.json()) as JsonObject;
    expect(await known.json()).toMatchObject(told);
  });
});

const changes = (path: string) => gateway.identity.seen.filter((seen) => seen.method === 'POST' && seen.path === path);

/** A request that is admitted, and whose body ends with `finish`, which resolves to the status, the challenge and the body of its answer. */
async function holdBack(path: string, key: string) {
  await gateway.fetch(path, {}, key);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request(`${gateway.url}${path}`, { method: 'POST', headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write('{');
  await delay(ADMISSION_MS);
  const finish = async (body: string): Promise<[number | undefined, string | undefined, string]> => {
    sent.end(body.slice(1));
    const [answer] = await answered;
    return [answer.statusCode, answer.headers['www-authenticate'], await text(answer)];
  };
  return { finish };
}
