import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@capability-router/kernel';
import { gatewayRoutes } from '../routes/routes.js';
import { nameOf, pathOf, requestOf } from '../test-support/route-paths.js';
import { account, RunningGateway, unknownKey, validKey } from '../test-support/running-gateway.js';

const EXECUTE = '/api/v1/tools/execute';
const META = '/api/v1/meta';
const told = 'text-of-a-caller';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway('info');
});
afterEach(() => gateway.stop());

const lines = (): JsonObject[] => gateway.logs.filter(({ log }) => log === 'request');

/** A line is written once the answer has left, which its reader may know first. */
async function linesOf(count: number): Promise<JsonObject[]> {
  while (lines().length < count) await sleep(5);
  return lines();
}

describe('the request log', () => {
  it('has one line for a call: who, which route, what became of it and what it was billed', async () => {
    await gateway.start();
    gateway.upstream.answer(200, { success: true }, { 'x-reason-code': 'ok', 'x-billed-credits': '1.25' });
    const requestId = randomUUID();
    const answer = await gateway.post(EXECUTE, {}, validKey, { 'x-request-id': requestId });
    await answer.text();
    expect(await linesOf(1)).toEqual([
      expect.objectContaining({
        requestId,
        accountId: account.accountId,
        apiKeyId: account.apiKeyId,
        method: 'POST',
        route: EXECUTE,
        status: 200,
        reason: 'ok',
        credits: 1.25,
        ms: expect.any(Number),
      }),
    ]);
    expect([answer.headers.get('x-reason-code'), answer.headers.get('x-billed-credits')]).toEqual([null, null]);
  });

  it('has one line for each of what is refused, with the reason', async () => {
    await gateway.start();
    await gateway.fetch('/api/v1/auth/credits', {}, unknownKey);
    await gateway.fetch('/admin/v1/accounts');
    await gateway.fetch(`/nowhere/${told}`);
    await gateway.post(EXECUTE, '');
    const found = await linesOf(4);
    expect(found.map(({ status, reason, route }) => [status, reason, route])).toEqual([
      [401, 'invalid_api_key', '/api/v1/auth/credits'],
      [403, 'insufficient_scope', '/admin/v1/accounts'],
      [404, 'not_found', 'unknown'],
      [400, 'invalid_json', EXECUTE],
    ]);
  });

  it('has one line for a request whose caller hung up, and none when its answer comes after all', async () => {
    await gateway.start();
    const gone = new AbortController();
    let answerIt = (): void => undefined;
    gateway.upstream.behave = (_request, response) => {
      answerIt = () => void response.end('{}');
      gone.abort();
    };
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, signal: gone.signal };
    await expect(gateway.fetch(EXECUTE, init)).rejects.toThrow();
    const [line] = await linesOf(1);
    expect(line).toMatchObject({ route: EXECUTE, aborted: true });
    expect(line).not.toHaveProperty('status');
    answerIt();
    await (await gateway.fetch(META)).text();
    expect((await linesOf(2)).map(({ route }) => route)).toEqual([EXECUTE, META]);
  });

  it('never holds a key, a token, an address or a text of the caller, on any route', async () => {
    await gateway.start();
    const body = JSON.stringify({ parameters: { q: told }, api_key: validKey });
    const headers = { 'x-request-id': `${validKey}`, 'x-forwarded-for': '203.0.113.9', 'user-agent': told };
    for (const route of gatewayRoutes) {
      const init = requestOf(route);
      const sent = init.body === undefined ? init : { ...init, body };
      const answer = await gateway.fetch(`${pathOf(route)}?q=${told}`, {
        ...sent,
        headers: { ...(init.headers as Record<string, string>), ...headers },
      });
      await answer.text();
    }
    const found = await linesOf(gatewayRoutes.length);
    expect(found).toHaveLength(gatewayRoutes.length);
    const routesFound = found.map(({ method, route }) => `${method as string} ${route as string}`);
    expect(new Set(routesFound)).toEqual(new Set(gatewayRoutes.map(nameOf)));
    const text = JSON.stringify(found);
    for (const secret of [validKey, told, '203.0.113.9', '127.0.0.1', 'token-1', 'eyJ'])
      expect(text).not.toContain(secret);
  });

  it('has a hash in the place of an id that could be a credential, by which whoever knows the id finds the line', async () => {
    await gateway.start();
    const ids = ['one', validKey, 'refresh-token-of-somebody', `${randomUUID()}-${told}`];
    for (const id of ids) await (await gateway.fetch(META, { headers: { 'x-request-id': id } })).text();
    expect((await linesOf(ids.length)).map(({ requestId }) => requestId)).toEqual(
      ids.map((id) => `sha256:${createHash('sha256').update(id).digest('hex').slice(0, 16)}`),
    );
  });

  it('has lines of a bounded length, whatever was sent', async () => {
    await gateway.start();
    const long = 'x'.repeat(4_000);
    const answer = await gateway.fetch(`/api/v1/tools/executions/${long.slice(0, 2_000)}?q=${long}`, {
      headers: { 'x-request-id': 'r'.repeat(128), 'user-agent': long },
    });
    await answer.text();
    expect(JSON.stringify(await linesOf(1)).length).toBeLessThan(1_024);
  });

  it('has none for the probes of whoever runs the replica', async () => {
    await gateway.start();
    for (const path of ['/livez', '/readyz', META]) await (await gateway.fetch(path)).text();
    expect((await linesOf(1)).map(({ route }) => route)).toEqual([META]);
  });

  it('is off where the deployment says so', async () => {
    await gateway.start({ REQUEST_LOG: 'false' });
    for (const path of [META, META]) await (await gateway.fetch(path)).text();
    expect(lines()).toEqual([]);
  });
});
