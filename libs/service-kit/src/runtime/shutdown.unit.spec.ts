import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createServer } from '../http/server.js';
import { createMetrics } from '../observability/metrics.js';
import { stopService } from './shutdown.js';

it('a stop ends everything, also after a step that failed, and fails then', async () => {
  const fastify = createServer({ service: 'test', logger: pino({ level: 'silent' }), metrics: createMetrics() });
  const ended: string[] = [];
  const ends = (name: string, failure?: Error) => (): Promise<void> => {
    ended.push(name);
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  };
  const failure = new Error('the broker is away');
  const stopped = stopService({
    service: { fastify, stop: ends('service') },
    bus: { stop: ends('bus', failure) },
    drainMs: 0,
    afterwards: ends('clients'),
  });
  await expect(stopped).rejects.toBe(failure);
  expect(ended).toEqual(['bus', 'service', 'clients']);
});
