import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import { RunningGateway } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

const until = async (condition: () => boolean): Promise<void> => {
  const deadlineMs = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe.each(['away', 'joining'] as const)('a gateway that starts while its broker is %s', (broker) => {
  it.each([
    [3_600_000, 'ahead of'],
    [-3_600_000, 'behind'],
  ])('finds that its clock is off by %d ms, and takes no requests', async (skewMs, said) => {
    gateway.broker = broker;
    await gateway.start({}, {}, { nowMs: () => systemClock.nowMs() + skewMs });
    await until(() => gateway.readiness()?.detail.includes(said) === true);
    expect(gateway.readiness()?.ready).toBe(false);
    expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(503);
    expect([gateway.upstream.seen, gateway.identity.reports]).toEqual([[], []]);
  });
});

it('a gateway whose broker comes late asks no more for the time once it reports', async () => {
  gateway.broker = 'joining';
  await gateway.start();
  await until(() => gateway.identity.timesAsked > 0);
  expect(gateway.identity.reports).toEqual([]);
  gateway.broker = 'up';
  await until(() => gateway.readiness()?.detail === 'ready');
  const { timesAsked } = gateway.identity;
  await until(() => gateway.identity.reports.length > 2);
  expect(gateway.identity.timesAsked).toBe(timesAsked);
});
