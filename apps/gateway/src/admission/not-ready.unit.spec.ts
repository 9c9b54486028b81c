import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import { RunningGateway } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

let gateway: RunningGateway;
let skewMs: number;
beforeEach(async () => {
  gateway = new RunningGateway();
  skewMs = 0;
  await gateway.start({}, {}, { nowMs: () => systemClock.nowMs() + skewMs });
});
afterEach(() => gateway.stop());

/** Each ends when the gateway takes no requests. */
const causes: readonly (readonly [string, () => void | Promise<void>])[] = [
  ['starts', () => void (gateway.availability = 'not_ready')],
  [
    'has a clock that is wrong',
    async () => {
      skewMs = 3_600_000;
      // The next request has identity asked what time it is.
      while (gateway.readiness()?.ready === true) await gateway.fetch('/api/v1/auth/credits');
    },
  ],
];

const notDispatched = {
  status: 'failure',
  ...toldError('not_dispatched'),
  retry_after_seconds: 1,
  message:
    'The call was not run, because a part of the service is temporarily unavailable. Repeat it after Retry-After.',
};
const unavailable = {
  status: 'failure',
  message: 'The service is temporarily unavailable. Retry later.',
  ...toldError('service_unavailable'),
  retry_after_seconds: 1,
};
const lost = 'The upstream service is unavailable.';
const inspectFailure = { error: lost, message: lost, ...toldError('upstream_unavailable') };

const answers = [
  ['/tools/execute', 503, '1', notDispatched],
  ['/capabilities/query', 503, '1', notDispatched],
  ['/tools/by-ids', 502, null, inspectFailure],
  ['/tools/probe', 502, null, inspectFailure],
  ['/search', 503, '1', unavailable],
  ['/agent/claim', 503, '1', unavailable],
] as const;

const internalNames = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name === 'x-answered-by' || /^x-service-(?!api-version$)/.test(name));

describe.each(causes)('a gateway that %s', (_cause, happens) => {
  it.each(answers)('answers %s as the route documents it: %d', async (path, status, retryAfter, body) => {
    await happens();
    const { length } = gateway.upstream.seen;
    // Whoever asks, since no key is looked at.
    for (const key of [undefined, '']) {
      const answer = await gateway.post(`/api/v1${path}`, { query: 'x' }, key);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        status,
        retryAfter,
        body,
      ]);
      expect(internalNames(answer.headers)).toEqual([]);
      expect(answer.headers.get('x-service-api-version')).toMatch(/.+/);
    }
    expect(gateway.upstream.seen).toHaveLength(length);
  });

  it('answers a read and a download with 503, probes and what it knows by itself as ever', async () => {
    await happens();
    for (const path of ['/auth/credits', '/results/token', '/auth/usage/history/v2/export']) {
      const answer = await gateway.fetch(`/api/v1${path}`);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([503, '1', unavailable]);
      expect(internalNames(answer.headers)).toEqual([]);
    }
    expect((await gateway.fetch('/livez')).status).toBe(200);
    expect((await gateway.fetch('/api/v1/none')).status).toBe(404);
  });
});

it('a gateway that drains serves, closes the connection, and tells nobody outside its state', async () => {
  gateway.upstream.answer(200, { status: 'success', data: {} });
  gateway.availability = 'draining';
  const answer = await gateway.fetch('/api/v1/auth/credits');
  expect([answer.status, answer.headers.get('connection'), internalNames(answer.headers)]).toEqual([200, 'close', []]);
});
