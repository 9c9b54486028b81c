import { afterAll, expect, it } from '@jest/globals';
import { freePort, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

const standalone = new StandaloneProcess();
afterAll(() => standalone.remove());

/** Requests for the credits of an account that the door was sent since it opened. */
async function creditsAskedFor(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counts = metrics
    .split('\n')
    .filter((line) => line.startsWith('http_request_duration_seconds_count') && line.includes('/auth/credits'));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

it(
  'waits for no credits where the demo account has none, at the first start and later',
  async () => {
    for (let start = 0; start < 2; start += 1) {
      const metricsPort = await freePort();
      const demo = await standalone.start({ DEMO_CREDITS: '0', METRICS_PORT: String(metricsPort) });
      expect(await creditsAskedFor(metricsPort)).toBe(0);
      expect(await read(demo, '/auth/credits')).toMatchObject({ remaining_credits: 0 });
      expect(await creditsAskedFor(metricsPort)).toBeGreaterThan(0);
      await standalone.signal('SIGTERM');
    }
  },
  2 * START_TIMEOUT_MS,
);
