import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { createServer, type ServerOptions } from './server.js';

/** Milliseconds; nothing here is expected to take longer than the patience, which is far beyond. */
const SHORT_MS = 150;
const PATIENCE_MS = 30_000;
/** Bytes; more than the buffers of a connection hold. */
const LONG = 64 * 1024 * 1024;

let server: FastifyInstance;
let finish: () => void;
const sockets: Socket[] = [];

async function start(options: Partial<ServerOptions> = {}): Promise<void> {
  server = createServer({
    service: 'test',
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    responseHeaders: { 'x-version': '1' },
    ...options,
  });
  const finished = new Promise<void>((resolve) => (finish = resolve));
  server.get('/quick', () => ({ quick: true }));
  server.get('/long', (_request, reply) => reply.send(Buffer.alloc(LONG)));
  server.get('/slow', async () => {
    await finished;
    return { slow: true };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

interface Connection {
  readonly socket: Socket;
  /** All that has come. */
  received(): string;
  /** Resolves once it is closed, with all that has come. */
  readonly closed: Promise<string>;
}

async function open(): Promise<Connection> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('it is not closed')), PATIENCE_MS);
    socket.once('close', () => {
      clearTimeout(late);
      resolve(received);
    });
  });
  closed.catch(() => undefined);
  await once(socket, 'connect');
  return { socket, received: () => received, closed };
}

async function until(condition: () => boolean): Promise<void> {
  for (const startedMs = performance.now(); !condition();) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error('it does not come about');
    await delay(5);
  }
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

describe('a connection', () => {
  it.each([
    ['sends nothing', []],
    ['ends in the middle of a head', ['GET /quick HTTP/1.1\r\nhost: x\r\n']],
    ['sends a header now and then', ['GET /quick HTTP/1.1\r\n', ...Array.from({ length: 1_000 }, () => 'a: 1\r\n')]],
  ])('that %s is answered 408 and closed', async (_what, parts) => {
    await start({ headTimeoutMs: SHORT_MS });
    const { socket, closed } = await open();
    const trickle = async (): Promise<void> => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        await delay(SHORT_MS / 10);
      }
    };
    void trickle();
    const answer = await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('x-version: 1');
    expect(answer).toContain('The head of the request did not come in time.');
  });

  it('whose answer is not read is closed', async () => {
    await start({ answerStallMs: SHORT_MS });
    let accepted: Socket | undefined;
    server.server.once('connection', (socket: Socket) => (accepted = socket));
    const { socket } = await open();
    socket.pause();
    socket.write(get('/long'));
    await until(() => accepted?.destroyed === true);
  });

  it('on which an answer is long in the making is not closed', async () => {
    await start({ answerStallMs: SHORT_MS });
    const { socket, received } = await open();
    socket.write(get('/slow'));
    await delay(4 * SHORT_MS);
    finish();
    await until(() => received().includes('"slow":true'));
  });

  it('between two requests is closed after a while', async () => {
    await start({ keepAliveTimeoutMs: SHORT_MS });
    const { socket, closed } = await open();
    socket.write(get('/quick'));
    expect(await closed).toContain('"quick":true');
  });

  it('beyond as many as may be is closed, and one that closes makes room', async () => {
    await start({ maxConnections: 2 });
    const [first] = [await open(), await open()];
    expect(await (await open()).closed).toBe('');
    first.socket.destroy();
    const count = promisify(server.server.getConnections.bind(server.server));
    while ((await count()) > 1) await delay(5);
    const next = await open();
    next.socket.write(get('/quick'));
    await until(() => next.received().includes('"quick":true'));
  });
});

describe('a listener that closes', () => {
  it('ends connections that wait for a request or are in the middle of a head, and answers what is under way first', async () => {
    await start();
    const [unused, kept, halfway, busy] = [await open(), await open(), await open(), await open()];
    kept.socket.write(get('/quick'));
    await until(() => kept.received().includes('"quick":true'));
    halfway.socket.write('GET /quick HTTP/1.1\r\nhost: x\r\n');
    busy.socket.write(get('/slow'));
    // The last bytes that were sent have come, too.
    await delay(SHORT_MS);
    let isClosed = false;
    const closed = server.close().then(() => (isClosed = true));
    await Promise.all([unused.closed, kept.closed, halfway.closed]);
    expect([isClosed, busy.socket.destroyed]).toEqual([false, false]);
    finish();
    expect(await busy.closed).toContain('"slow":true');
    await closed;
  });

  it('tells whoever asks while it drains that the connection ends', async () => {
    await start();
    const { socket, closed } = await open();
    server.availability.current = 'draining';
    socket.write(get('/quick'));
    const answer = await closed;
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('"quick":true');
  });
});
