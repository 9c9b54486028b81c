import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { systemClock } from '@capability-router/kernel';
import { identifyCallers, requireCaller } from '../http/caller-identity.js';
import { answerErrorsPlainly, createServer } from '../http/server.js';
import { createMetrics } from '../observability/metrics.js';
import { generateInternalKeys } from '../tokens/generate-keys.js';
import { InternalTokens } from '../tokens/internal-tokens.js';
import { delay } from '../util/timing.js';
import { InjectServiceClient } from './inject-service-client.js';
import { UpstreamTimeout, UpstreamUnavailable } from './service-client.js';

const logger = pino({ level: 'silent' });

async function peers() {
  const keys = generateInternalKeys();
  const tokensOf = (service: 'execution' | 'billing') =>
    InternalTokens.create({ service, signingKey: keys.signingKeys[service], jwks: keys.jwks, clock: systemClock });
  const server = createServer({ service: 'billing', logger, metrics: createMetrics() });
  identifyCallers(server, await tokensOf('billing'), logger);
  answerErrorsPlainly(server, logger);
  server.post('/internal/holds', (request) => {
    requireCaller(request, ['execution']);
    return { echoed: request.body };
  });
  server.get('/internal/slow', async () => {
    await delay(200);
    return {};
  });
  return { server, execution: await tokensOf('execution'), billing: await tokensOf('billing') };
}

describe('a call within the process', () => {
  let close: () => Promise<void> = () => Promise.resolve();
  afterEach(() => close());

  it('goes through the guards of the peer', async () => {
    const { server, execution, billing } = await peers();
    close = () => server.close();
    const request = { method: 'POST', path: '/internal/holds', body: '{"a":1}', timeoutMs: 30_000 } as const;
    const allowed = await new InjectServiceClient('billing', execution, () => server).request(request);
    expect([allowed.status, JSON.parse(allowed.body.toString())]).toEqual([200, { echoed: { a: 1 } }]);
    const forbidden = await new InjectServiceClient('billing', billing, () => server).request(request);
    expect(forbidden.status).toBe(403);
  });

  it('fails as a call over a socket does', async () => {
    const { server, execution } = await peers();
    close = () => server.close();
    const client = new InjectServiceClient('billing', execution, () => server);
    await expect(client.request({ method: 'GET', path: '/internal/slow', timeoutMs: 20 })).rejects.toThrow(
      UpstreamTimeout,
    );
    const absent = new InjectServiceClient('billing', execution, () => undefined);
    await expect(absent.request({ method: 'GET', path: '/', timeoutMs: 20 })).rejects.toThrow(UpstreamUnavailable);
  });

  it('never resolves a path to another route', async () => {
    const { server, execution } = await peers();
    close = () => server.close();
    const client = new InjectServiceClient('billing', execution, () => server);
    for (const path of ['/api/../internal/slow', '/api/%2e%2e/internal/slow', '/api/..\\internal/slow']) {
      await expect(client.request({ method: 'GET', path, timeoutMs: 30_000 })).rejects.toThrow(/normalised/);
    }
  });
});
