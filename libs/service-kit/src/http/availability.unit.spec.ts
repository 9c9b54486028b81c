import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { internalHeaders } from '@capability-router/contracts';
import { systemClock } from '@capability-router/kernel';
import { HttpServiceClient } from '../clients/http-service-client.js';
import { createMetrics } from '../observability/metrics.js';
import { openOnceReady } from '../runtime/readiness.js';
import { stopService } from '../runtime/shutdown.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { delay } from '../util/timing.js';
import { answerErrorsPlainly, createServer } from './server.js';

const logger = pino({ level: 'silent' });
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service that knows its one tool only when its copies are loaded. */
async function start(
  port = 0,
  loaded: { current: boolean } = { current: true },
  clock: { agrees: boolean } = { agrees: true },
): Promise<FastifyInstance> {
  const server = createServer({ service: 'execution', logger, metrics: createMetrics() });
  answerErrorsPlainly(server, logger);
  server.post('/call', async (_request, reply) => {
    await delay(5);
    return reply.code(loaded.current ? 200 : 422).send({});
  });
  server.availability.current = 'not_ready';
  await server.listen({ host: '127.0.0.1', port });
  openOnceReady({
    name: 'execution',
    fastify: server,
    ready: () => ({ ready: loaded.current, detail: 'the copies are being loaded' }),
    database: { answers: () => Promise.resolve(true), clockAgrees: () => clock.agrees },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  });
  closers.push(() => server.close());
  return server;
}

const urlOf = (server: FastifyInstance): string => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

const stop = (server: FastifyInstance): Promise<void> => {
  const nothing = (): Promise<void> => Promise.resolve();
  return stopService({
    service: { fastify: server, stop: nothing },
    bus: { stop: nothing },
    drainMs: 600,
    afterwards: nothing,
  });
};

describe('what a service answers', () => {
  it('is that it is not ready, to everything but probes, until its copies are loaded', async () => {
    const loaded = { current: false };
    const server = await start(0, loaded);
    const refused = await fetch(`${urlOf(server)}/call`, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get(internalHeaders.availability)).toBe('not_ready');
    expect(await refused.json()).toEqual({
      status: 'failure',
      message: expect.stringMatching(/starting/),
      code: 'service_unavailable',
    });
    expect((await fetch(`${urlOf(server)}/livez`)).status).toBe(200);
    expect((await fetch(`${urlOf(server)}/readyz`)).status).toBe(503);
    loaded.current = true;
    let status = 503;
    while (status === 503) {
      ({ status } = await fetch(`${urlOf(server)}/call`, { method: 'POST' }));
    }
    expect(status).toBe(200);
    expect((await fetch(`${urlOf(server)}/readyz`)).status).toBe(200);
  });

  it('is that another replica is to be asked while its clock is wrong, and a real one once it is right', async () => {
    const clock = { agrees: true };
    const server = await start(0, { current: true }, clock);
    const ask = async () => {
      const answer = await fetch(`${urlOf(server)}/call`, { method: 'POST' });
      return [answer.status, answer.headers.get(internalHeaders.availability)];
    };
    expect(await ask()).toEqual([200, null]);
    clock.agrees = false;
    expect(await ask()).toEqual([503, 'not_ready']);
    expect((await fetch(`${urlOf(server)}/livez`)).status).toBe(200);
    clock.agrees = true;
    expect(await ask()).toEqual([200, null]);
  });

  it('is given while it drains, and says so', async () => {
    const server = await start();
    server.availability.current = 'draining';
    const answer = await fetch(`${urlOf(server)}/call`, { method: 'POST' });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(answer.headers.get(internalHeaders.availability)).toBe('draining');
  });

  it('stays a 200 through restarts of one replica after the other, for calls that must not be repeated', async () => {
    let servers = [await start(), await start()];
    const urls = servers.map(urlOf);
    const keys = generateInternalKeys();
    const tokens = await InternalTokens.create({
      service: 'gateway',
      signingKey: keys.signingKeys.gateway,
      jwks: keys.jwks,
      clock: systemClock,
    });
    const client = new HttpServiceClient({ service: 'execution', urls, tokens });
    closers.push(() => client.close());
    const statuses: unknown[] = [];
    let rolling = true;
    const clients = Array.from({ length: 8 }, async () => {
      while (rolling) {
        const call = client.request({ method: 'POST', path: '/call', body: '{}', timeoutMs: 10_000 });
        statuses.push(
          await call.then(
            ({ status }) => status,
            (error: unknown) => error,
          ),
        );
        await delay(2);
      }
    });
    for (const round of [1, 2]) {
      for (const [at, server] of servers.entries()) {
        await stop(server);
        const loaded = { current: false };
        const started = await start(Number(new URL(urls[at] ?? '').port), loaded);
        servers = servers.map((one, index) => (index === at ? started : one));
        await delay(50 * round);
        loaded.current = true;
        // As whoever rolls replicas does, the next one is stopped only when this one serves.
        while ((await fetch(`${urls[at]}/readyz`)).status !== 200) await delay(20);
        await delay(300);
      }
    }
    rolling = false;
    await Promise.all(clients);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(100);
  }, 60_000);
});
