import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_STREAMED_ANSWER_BYTES } from '@capability-router/contracts';
import { RunningGateway } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

const path = '/api/v1/results/token';
const described = {
  'content-disposition': 'attachment; filename="exec_1.json"',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'accept-ranges': 'bytes',
  etag: '"exec_1"',
};

describe('a download through the gateway', () => {
  let gateway: RunningGateway;
  beforeEach(() => {
    gateway = new RunningGateway();
  });
  afterEach(() => gateway.stop());
  const get = (init: RequestInit = {}) => gateway.fetch(path, init, '');

  it('needs no credential, and keeps every header that describes it', async () => {
    await gateway.start();
    gateway.upstream.answer(200, '[1]', { ...described, 'content-length': '3', 'x-secret': 'no' });
    const answer = await get();
    expect([answer.status, await answer.text()]).toEqual([200, '[1]']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...described, 'content-length': '3' });
    expect(answer.headers.get('x-secret')).toBeNull();
    expect(gateway.upstream.seen[0]?.headers['x-account-assertion']).toBeUndefined();
  });

  it('passes on what part is asked for and what the caller has, and the answer to that', async () => {
    await gateway.start();
    gateway.upstream.answer(206, 'bc', { ...described, 'content-range': 'bytes 1-2/9' });
    const part = await get({ headers: { range: 'bytes=1-2', 'if-range': '"exec_1"', 'if-none-match': '"other"' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 1-2/9', 'bc']);
    expect(gateway.upstream.seen[0]?.headers).toMatchObject({
      range: 'bytes=1-2',
      'if-range': '"exec_1"',
      'if-none-match': '"other"',
    });
    gateway.upstream.behave = (_request, response) => response.writeHead(304, described).end();
    const known = await get({ headers: { 'if-none-match': '"exec_1"' } });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"exec_1"', '']);
    const failure = { status: 'failure', message: 'after the end' };
    gateway.upstream.answer(416, failure, { 'content-range': 'bytes */9' });
    const beyond = await get({ headers: { range: 'bytes=9-' } });
    expect([beyond.status, beyond.headers.get('content-range'), await beyond.json()]).toEqual([
      416,
      'bytes */9',
      { ...failure, ...toldError('range_not_satisfiable') },
    ]);
  });

  it('answers HEAD as GET, without the bytes', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response) =>
      response.writeHead(200, { ...described, 'content-type': 'application/json', 'content-length': '9' }).end();
    const answer = await get({ method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '9', '']);
    expect(gateway.upstream.seen.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it('tells an error of the service as it is, and not that it was not usable', async () => {
    await gateway.start();
    const later = { retry_after_seconds: 1 };
    for (const [status, members] of [
      [404, toldError('not_found')],
      [410, toldError('link_expired')],
      [503, { ...toldError('service_unavailable'), ...later }],
    ] as const) {
      gateway.upstream.answer(status, { status: 'failure', message: 'why' });
      const answer = await get();
      expect([answer.status, await answer.json()]).toEqual([status, { status: 'failure', message: 'why', ...members }]);
    }
  });

  it('is broken off when no byte moves for too long, and the gateway goes on serving', async () => {
    await gateway.start({ STREAM_IDLE_TIMEOUT_MS: '3000' });
    gateway.upstream.behave = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some');
    };
    const answer = await get();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    gateway.upstream.behave = () => undefined;
    expect((await get()).status).toBe(504);
    gateway.upstream.answer(200, '[]');
    expect((await get()).status).toBe(200);
  });

  it('is refused where it says that it is longer than any answer may be', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response) => {
      response.writeHead(200, { 'content-length': String(MAX_STREAMED_ANSWER_BYTES + 1) });
      response.write('x');
    };
    expect((await get()).status).toBe(502);
  });

  it('ends at the service when the caller hangs up, and is read no faster than the caller reads', async () => {
    await gateway.start();
    const chunk = Buffer.alloc(65_536, 'x');
    let written = 0;
    const broken = new Promise<void>((resolve) => {
      gateway.upstream.behave = (_request, response) => {
        response.once('close', resolve);
        response.writeHead(200, { 'content-type': 'application/json' });
        const write = (): void => {
          while (!response.destroyed) {
            written += chunk.length;
            if (!response.write(chunk)) {
              response.once('drain', write);
              return;
            }
          }
        };
        write();
      };
    });
    const reading = request(`${gateway.url}${path}`).end();
    const [response] = (await once(reading, 'response')) as [import('node:http').IncomingMessage];
    response.on('error', () => undefined);
    let before = -1;
    // It comes to rest once every buffer on the way is full.
    while (before !== written) {
      before = written;
      await delay(300);
    }
    expect(written).toBeLessThan(MAX_STREAMED_ANSWER_BYTES / 4);
    response.destroy();
    await broken;
  });
});
