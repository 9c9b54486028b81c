import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { answerErrorsPlainly, createServer } from './server.js';

describe('a request that Node alone would refuse without a word, or with the wrong one', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    const logger = pino({ level: 'silent' });
    const responseHeaders = { 'x-version': '1' };
    server = createServer({ service: 'test', logger, metrics: createMetrics(), responseHeaders });
    answerErrorsPlainly(server, logger);
    server.post('/things', () => ({ made: true }));
    server.get('/things/:id', () => ({ found: true }));
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  /** Reads the answer to these bytes, until the connection is closed or a whole answer is there. */
  function answerTo(text: string): Promise<{ status: number; head: string; body: string }> {
    return new Promise((resolve, reject) => {
      let received = '';
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        received += chunk.toString();
        if (received.includes('\r\n\r\n') && received.endsWith('}')) socket.destroy();
      });
      socket.once('error', reject).once('close', () => {
        const [head = '', body = ''] = received.split('\r\n\r\n');
        resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body });
      });
    });
  }

  const post = (lines: string, body = '{}'): string =>
    `POST /things HTTP/1.1\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`;
  /** A request with so many headers. */
  const withHeaders = (count: number): string =>
    `GET /things/7 HTTP/1.1\r\nhost: x\r\n${'a:1\r\n'.repeat(count - 1)}\r\n`;
  const withLongHeader = `GET /things/7 HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`;
  const query = (path: string, lines = ''): string => `QUERY ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`;

  it.each([
    ['without a Host', post('content-type: application/json\r\n'), 400, 'Host', 'invalid_request'],
    ['with an expectation', post('host: x\r\nexpect: a-miracle\r\n'), 417, 'Expect', 'expectation_failed'],
    ['for a tunnel', 'CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'proxy', 'method_not_allowed'],
    ['with too many headers', withHeaders(101), 431, '100', 'headers_too_large'],
    ['with large headers', withLongHeader, 431, 'bytes', 'headers_too_large'],
    ['with more headers than Node keeps', withHeaders(2_500), 431, '100', 'headers_too_large'],
    ['with a method of nobody', 'FOO /things HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method', 'method_not_allowed'],
  ])('%s is told what is wrong', async (_what, bytes, status, word, code) => {
    const answer = await answerTo(bytes);
    expect(answer.status).toBe(status);
    expect(answer.head).toContain('x-version: 1');
    expect(answer.head).toMatch(/x-request-id: \S+/);
    expect(JSON.parse(answer.body)).toEqual({
      status: 'failure',
      message: expect.stringContaining(word),
      code,
      retryable: false,
      next_step: expect.stringMatching(/^\S.*\.$/),
    });
  });

  it.each([
    ['without a content type', query('/things'), 'post'],
    ['without a Host', 'QUERY /things HTTP/1.1\r\n\r\n', 'post'],
    ['on a path with a parameter', query('/things/7'), 'get'],
    ['on a path that there is not', query('/nothing'), 'get, post'],
    ['PUT with a broken body', `PUT ${post('host: x\r\ncontent-type: application/json\r\n', '{x').slice(5)}`, 'post'],
    ['PUT with a body of another type', `PUT ${post('host: x\r\ncontent-type: text/xml\r\n').slice(5)}`, 'post'],
  ])('of a method that the path has not is a 405: %s', async (_what, bytes, allowed) => {
    const answer = await answerTo(bytes);
    expect({ status: answer.status, allow: /allow: (.+)/.exec(answer.head)?.[1] }).toEqual({
      status: 405,
      allow: allowed,
    });
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'failure',
      message: expect.stringMatching(/\S/),
      code: 'method_not_allowed',
    });
  });

  it('is served with as many headers as may be', async () => {
    expect((await answerTo(withHeaders(100))).status).toBe(200);
  });

  it('of a method that others have, on a path that there is not, is a 404', async () => {
    expect((await answerTo('GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n')).status).toBe(404);
  });
});
