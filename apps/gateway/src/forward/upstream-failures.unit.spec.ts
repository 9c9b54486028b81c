import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import { keyOf, RunningGateway } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

const executionIdPattern = /^exec_[0-9a-f]{32}$/;

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address.port}`;
}

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('an upstream that gives no answer', () => {
  it('is told as an unknown outcome with the execution id when the request was written', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, _response, socket) => socket.destroy();
    const answer = await gateway.post('/api/v1/tools/execute', {});
    const body = await answer.json();
    expect(answer.status).toBe(502);
    expect(body).toMatchObject({
      execution_id: gateway.upstream.seen[0]?.headers['x-execution-id'],
      success: false,
      error_message: 'outcome unknown: read usage history by execution_id',
      message: 'outcome unknown: read usage history by execution_id',
      execution_outcome: { reason_code: 'transport.no_response', outcome: 'transport_failure' },
    });
    expect(gateway.upstream.seen).toHaveLength(1);
  });

  it('is told as 504 with the execution id when the answer is late', async () => {
    await gateway.start({ CALL_TIMEOUT_MS: '2000' });
    gateway.upstream.behave = () => undefined;
    const answer = await gateway.post('/api/v1/tools/execute', {});
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      execution_id: expect.stringMatching(executionIdPattern),
      success: false,
    });
    expect(gateway.upstream.seen).toHaveLength(1);
  });

  it('is told as an unknown outcome when only the answer was cut off', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"execution_id"');
      setTimeout(() => socket.destroy(), 10);
    };
    expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(502);
  });

  it('is told as 503 with Retry-After when the service cannot have seen the request', async () => {
    await gateway.start({}, { execution: [await closedPort()] });
    const answer = await gateway.post('/api/v1/tools/execute', {});
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({
      status: 'failure',
      message: expect.stringMatching(/.+/),
      retry_after_seconds: 1,
      ...toldError('not_dispatched'),
    });
  });

  it('is told as 503, and of a call that it was not dispatched, when no replica of the service is ready', async () => {
    await gateway.start();
    gateway.upstream.answer(503, { status: 'failure', message: 'x' }, { 'x-service-availability': 'not_ready' });
    const call = await gateway.post('/api/v1/tools/execute', {});
    expect([call.status, call.headers.get('retry-after'), await call.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ status: 'failure', code: 'not_dispatched' }),
    ]);
    expect(call.headers.has('x-service-availability')).toBe(false);
    expect((await gateway.post('/api/v1/tools/probe', {})).status).toBe(502);
  });

  it('takes no requests, and is not ready, while the clock of its machine is off from that of identity, and says by how much', async () => {
    let skewMs = 0;
    await gateway.start({}, {}, { nowMs: () => systemClock.nowMs() + skewMs });
    const statusOf = async () => (await gateway.fetch('/api/v1/auth/credits')).status;
    gateway.upstream.answer(200, { status: 'success', data: {} });
    expect(gateway.readiness()).toMatchObject({ ready: true });
    for (const off of [3_600_000, -3_600_000]) {
      skewMs = off;
      // The next request has identity asked what time it is.
      while (gateway.readiness()?.ready === true) await statusOf();
      expect(gateway.readiness()).toMatchObject({ ready: false, detail: expect.stringContaining('set it right') });
      expect(await statusOf()).toBe(503);
      skewMs = 0;
      expect(gateway.readiness()).toMatchObject({ ready: true });
      expect(await statusOf()).not.toBe(503);
    }
  });

  it('says of a call whose credential could not be checked that it was not dispatched', async () => {
    await gateway.start();
    await gateway.identity.stop();
    const answer = await gateway.post('/api/v1/tools/execute', {}, keyOf('e'));
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'not_dispatched' })]);
    const search = await gateway.post('/api/v1/search', { query: 'x' }, keyOf('e'));
    expect([search.status, await search.json()]).toEqual([
      503,
      {
        status: 'failure',
        message: expect.stringMatching(/.+/),
        retry_after_seconds: 1,
        ...toldError('service_unavailable'),
      },
    ]);
    await gateway.identity.start();
  });

  it('uses another address of a service when the first refuses the connection', async () => {
    const other = new RunningGateway();
    const url = await other.upstream.start();
    await gateway.start({}, { execution: [await closedPort(), url] });
    expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
    expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
    expect(other.upstream.seen).toHaveLength(2);
    await other.upstream.stop();
  });

  it.each(['/tools/by-ids', '/tools/probe'])('never makes %s answer 503', async (path) => {
    await gateway.start({}, { registry: [await closedPort()] });
    const refused = await gateway.post(`/api/v1${path}`, {});
    expect([refused.status, await refused.json()]).toEqual([
      502,
      {
        error: expect.stringMatching(/unavailable/),
        message: expect.stringMatching(/unavailable/),
        ...toldError('upstream_unavailable'),
      },
    ]);
    await gateway.identity.stop();
    expect((await gateway.post(`/api/v1${path}`, {}, keyOf('d'))).status).toBe(502);
    await gateway.identity.start();
  });

  it('tells what a service says of its own load in the shape of Inspect, and to a search as it is', async () => {
    await gateway.start();
    const message = 'Too many requests wait to be recorded. Try again in a moment.';
    gateway.upstream.answer(503, { status: 'failure', message }, { 'retry-after': '1' });
    for (const path of ['/tools/by-ids', '/tools/probe']) {
      const inspect = await gateway.post(`/api/v1${path}`, {});
      expect([inspect.status, inspect.headers.get('retry-after'), await inspect.json()]).toEqual([
        502,
        null,
        { error: message, message, ...toldError('upstream_unavailable') },
      ]);
    }
    const search = await gateway.post('/api/v1/search', { query: 'x' });
    expect([search.status, search.headers.get('retry-after'), await search.json()]).toEqual([
      503,
      '1',
      { status: 'failure', message, retry_after_seconds: 1, ...toldError('service_unavailable') },
    ]);
  });

  it('answers late reads with 504 and lost ones with 502', async () => {
    await gateway.start({ UPSTREAM_TIMEOUT_MS: '2000' });
    gateway.upstream.behave = () => undefined;
    const late = await gateway.fetch('/api/v1/auth/credits');
    expect([late.status, await late.json()]).toEqual([504, expect.objectContaining({ status: 'failure' })]);
    for (const path of ['/tools/by-ids', '/tools/probe']) {
      const inspect = await gateway.post(`/api/v1${path}`, {});
      expect([inspect.status, await inspect.json()]).toEqual([
        504,
        {
          error: expect.stringMatching(/timed out/),
          message: expect.stringMatching(/timed out/),
          ...toldError('upstream_timeout'),
        },
      ]);
    }
    gateway.upstream.behave = (_request, _response, socket) => socket.destroy();
    expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(502);
  });

  it('never passes a redirect or a refusal of the gateway itself on', async () => {
    await gateway.start();
    for (const status of [301, 302, 307, 401]) {
      gateway.upstream.answer(status, {}, { location: 'https://elsewhere.example' });
      const answer = await gateway.fetch('/api/v1/auth/credits');
      expect([answer.status, answer.headers.get('location')]).toEqual([502, null]);
    }
  });
});
