import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { answerErrorsPlainly, createServer } from './server.js';

/** Bytes; more than the buffers of a connection hold, so that it comes through only where somebody reads. */
const LONG = 32 * 1024 * 1024;
const PART = Buffer.alloc(1024 * 1024, 'x');
/** Milliseconds within which a body must have come. */
const BODY_TIMEOUT_MS = 2_000;
const JSON_HEAD = 'POST /plain HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

describe('a body that is too large', () => {
  let server: FastifyInstance;
  const start = async (more: { readonly bodyTimeoutMs?: number } = {}): Promise<void> => {
    const logger = pino({ level: 'silent' });
    server = createServer({ service: 'test', logger, metrics: createMetrics(), bodyLimitBytes: 1_000, ...more });
    answerErrorsPlainly(server, logger);
    server.post('/plain', () => ({ read: true }));
    await server.listen({ host: '127.0.0.1', port: 0 });
  };
  afterEach(() => server.close());
  const connection = (): Socket => connect((server.server.address() as AddressInfo).port, '127.0.0.1');

  /** Sends head and body, and only then looks at what has come; then sends a second request on the same connection. */
  function answersAfterSending(head: string, frame: (part: Buffer) => Buffer, end: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connection();
      socket.pause();
      socket.on('data', (chunk) => {
        answer += chunk.toString();
        const statuses = answer.match(/HTTP\/1\.1 \d+/g) ?? [];
        if (statuses.length < 2) return;
        socket.destroy();
        resolve(statuses);
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error(`closed after ${answer.length} characters of an answer`)));
      socket.write(`${JSON_HEAD}${head}\r\n\r\n`);
      const send = async (): Promise<void> => {
        for (let sent = 0; sent < LONG; sent += PART.length) {
          await new Promise<void>((next) => socket.write(frame(PART), () => next()));
        }
        socket.write(`${end}${JSON_HEAD}content-length: 2\r\n\r\n{}`);
        socket.resume();
      };
      send().catch(reject);
    });
  }

  it('that says its length is answered 413 to a caller who sends all of it first', async () => {
    await start();
    const statuses = await answersAfterSending(`content-length: ${LONG}`, (part) => part, '');
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('that comes in chunks is, too', async () => {
    await start();
    const chunk = (part: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
    const statuses = await answersAfterSending('transfer-encoding: chunked', chunk, '0\r\n\r\n');
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('and does not come is not waited for longer than others', async () => {
    await start({ bodyTimeoutMs: BODY_TIMEOUT_MS });
    const socket = connection();
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(`${JSON_HEAD}content-length: ${LONG}\r\n\r\n`);
    // Not by an error: it is closed in good order.
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});
