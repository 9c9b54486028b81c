import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { createServer } from './server.js';

const TIMEOUT_MS = 150;
/** Milliseconds; far beyond the deadline. */
const PATIENCE_MS = 30_000;

describe('the deadline of bodies', () => {
  let server: FastifyInstance;
  beforeEach(async () => {
    server = createServer({
      service: 'test',
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      bodyTimeoutMs: TIMEOUT_MS,
      streamedContentTypes: ['application/x-ndjson'],
      routes: { 'POST /streamed': { streamsBody: true } },
    });
    server.post('/plain', () => ({}));
    server.post('/refused', { onRequest: async (_request, reply) => reply.code(403).send({}) }, () => ({}));
    server.post('/streamed', async (request) => {
      let bytes = 0;
      for await (const chunk of request.body as Readable) bytes += (chunk as Buffer).length;
      return { bytes };
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  /** Reads the answer until the connection is closed, or an answer has come and `until` says that it is enough. */
  function exchange(path: string, parts: readonly string[], pauseMs: number, until: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
      const done = (end: string): void => {
        clearTimeout(late);
        socket.destroy();
        resolve(`${answer.split('\r\n', 1)[0] ?? ''} ${end}`.trim());
      };
      const late = setTimeout(() => reject(new Error('neither an answer nor an end')), PATIENCE_MS);
      socket.on('data', (chunk) => {
        answer += chunk.toString();
        if (until.test(answer)) done('answered');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => done('closed'));
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${path === '/plain' ? 'application/json' : 'application/x-ndjson'}\r\ncontent-length: 4\r\n\r\n`,
      );
      void (async () => {
        for (const part of parts) {
          await new Promise((next) => setTimeout(next, pauseMs));
          socket.write(part);
        }
      })();
    });
  }

  const never = /$^/;
  const bytes = /"bytes":4/;

  it('answers 408 to a body that does not come, and closes the connection', async () => {
    expect(await exchange('/plain', ['a'], 20, never)).toBe('HTTP/1.1 408 Request Timeout closed');
  });

  it('closes it also where the request was answered without its body', async () => {
    expect(await exchange('/refused', ['a'], 20, never)).toBe('HTTP/1.1 403 Forbidden closed');
  });

  it('leaves a route that streams its body to itself', async () => {
    expect(await exchange('/streamed', ['a', 'b', 'c', 'd'], TIMEOUT_MS, bytes)).toBe('HTTP/1.1 200 OK answered');
  });
});
