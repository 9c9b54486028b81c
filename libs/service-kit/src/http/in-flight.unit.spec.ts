import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createMetrics } from '../observability/metrics.js';
import { countInFlight, endUnanswered, requestsUnderWay } from './in-flight.js';
import { createServer } from './server.js';

const MAX_IN_FLIGHT = 2;
/** Milliseconds in which what would be wrong would come about. */
const MOMENT_MS = 100;

describe('requests under way', () => {
  let server: FastifyInstance;
  let url: string;
  /** Let the requests of `/slow` go on, in the order in which they came. */
  let waiting: (() => void)[];
  const sockets: Socket[] = [];

  beforeEach(async () => {
    waiting = [];
    server = createServer({
      service: 'test',
      logger: pino({ level: 'silent' }),
      metrics: createMetrics(),
      maxInFlight: MAX_IN_FLIGHT,
    });
    server.addHook('onRequest', async (request, reply) => (request.isShed ? reply.code(503).send({}) : undefined));
    server.get('/quick', () => ({}));
    server.get('/slow', async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return {};
    });
    server.get('/forgotten', async (_request, reply) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return endUnanswered(reply);
    });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const go of waiting) go();
    await server.close();
  });

  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
  const untilWaiting = async (count: number): Promise<void> => {
    while (waiting.length < count) await delay(5);
  };
  /** Asks, and leaves the answer to itself. */
  async function ask(path: string): Promise<Socket> {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return socket;
  }

  it('are marked beyond as many as may be, and one that was answered makes room', async () => {
    for (let count = 1; count <= MAX_IN_FLIGHT; count += 1) {
      void ask('/slow');
      await untilWaiting(count);
    }
    expect(await statusOf('/quick')).toBe(503);
    expect(await statusOf('/quick')).toBe(503);
    waiting[0]?.();
    while ((await statusOf('/quick')) === 503) await delay(5);
    // As many go on beside each other as before: none was counted twice, and none that was refused.
    void ask('/slow');
    await untilWaiting(MAX_IN_FLIGHT + 1);
    expect(await statusOf('/quick')).toBe(503);
  });

  it.each(['/slow', '/forgotten'])('count until they have ended, whoever has hung up: %s', async (path) => {
    for (let count = 1; count <= MAX_IN_FLIGHT; count += 1) {
      const socket = await ask(path);
      await untilWaiting(count);
      socket.destroy();
    }
    await delay(MOMENT_MS);
    expect(await statusOf('/quick')).toBe(503);
    for (const go of waiting) go();
    while ((await statusOf('/quick')) === 503) await delay(5);
    expect(await statusOf('/quick')).toBe(200);
  });

  it('within the process are parts of others, and count for nothing', async () => {
    for (let count = 1; count <= MAX_IN_FLIGHT; count += 1) {
      void ask('/slow');
      await untilWaiting(count);
    }
    expect((await server.inject('/quick')).statusCode).toBe(200);
  });

  it('whose callers have gone and which are never answered are counted for a time, and then told and forgotten', async () => {
    const lines: string[] = [];
    const forgetful = fastify();
    const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    countInFlight(forgetful, { maxInFlight: MAX_IN_FLIGHT, logger, lostAfterMs: 2 * MOMENT_MS });
    let came = 0;
    forgetful.get('/never', (_request, _reply) => {
      came += 1;
    });
    await forgetful.listen({ host: '127.0.0.1', port: 0 });
    const before = requestsUnderWay();
    const socket = connect((forgetful.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
    while (came === 0) await delay(5);
    // However long somebody waits for an answer, the request is under way.
    await delay(3 * MOMENT_MS);
    expect(requestsUnderWay()).toBe(before + 1);
    socket.destroy();
    await delay(MOMENT_MS);
    expect([requestsUnderWay(), lines]).toEqual([before + 1, []]);
    while (requestsUnderWay() > before) await delay(5);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ route: '/never', msg: 'a request goes on long after its caller has gone' }),
    ]);
    await forgetful.close();
  });
});
