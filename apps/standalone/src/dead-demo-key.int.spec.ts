import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Demo } from './demo.js';
import { freePort, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

/** More than a start asks with a key that is refused, and far less than a minute admits with such keys. */
const FEW = 5;

const standalone = new StandaloneProcess();
afterAll(() => standalone.remove());

interface Asked {
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object;
  /** That of the administrator where it is absent. */
  readonly key?: string;
}

async function ask(demo: Demo, path: string, { method = 'POST', body, key }: Asked = {}) {
  const answer = await fetch(`${new URL(demo.base_url).origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? demo.admin_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: Record<string, unknown> };
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return data;
}

async function refusedRequests(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counts = metrics.split('\n').filter((line) => /^http_request_duration_seconds_count\{.*"(401|429)"/.test(line));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Starts anew: the account as `demo.json` has it, what the start printed, and how often the gateway refused it. */
async function startAgain(): Promise<{ demo: Demo; printed: string; refused: number }> {
  await standalone.signal('SIGTERM');
  const metricsPort = await freePort();
  const before = standalone.log.length;
  const demo = await standalone.start({ METRICS_PORT: String(metricsPort) });
  return { demo, printed: standalone.log.slice(before), refused: await refusedRequests(metricsPort) };
}

describe('a demo key that is refused', () => {
  it(
    'is asked with a few times at most, is not printed with calls that it cannot make, and others go on',
    async () => {
      const first = await standalone.start();
      const id = first.account_id ?? '';
      const opened = await ask(first, '/admin/v1/accounts', {
        body: { kind: 'formal', name: 'Other', initial_credits: 5 },
      });
      const path = `/admin/v1/accounts/${String(opened['account_id'])}/api-keys`;
      const other = await ask(first, path, { body: { name: 'other' } });
      await ask(first, `/admin/v1/accounts/${id}:suspend`);

      const { demo, printed, refused } = await startAgain();
      expect(refused).toBeLessThanOrEqual(FEW);
      expect(printed).not.toContain(demo.api_key);
      expect(printed).toContain(`/admin/v1/accounts/${id}:resume`);
      // Nobody has asked with this key since the start, so identity is asked for it.
      const otherDemo = { ...demo, api_key: String(other['api_key']) };
      expect(await read(otherDemo, '/auth/credits')).toMatchObject({ remaining_credits: 5 });

      await ask(demo, `/admin/v1/accounts/${id}:resume`);
      const resumed = await startAgain();
      expect(resumed.printed).toContain(`Authorization: Bearer ${demo.api_key}`);
      expect(resumed.refused).toBe(0);
    },
    3 * START_TIMEOUT_MS,
  );

  it(
    'is told after a rotation and an erasure too, and a start without demo.json makes a new one',
    async () => {
      await standalone.signal('SIGTERM');
      const first = await standalone.start();
      const { items } = await read(first, '/auth/api-keys');
      const [key] = items as { api_key_id: string }[];
      const rotate = `/api/v1/auth/api-keys/${key?.api_key_id}:rotate`;
      await ask(first, rotate, { body: { overlap_seconds: 0 }, key: first.api_key });
      const rotated = await startAgain();
      expect(rotated.printed).not.toContain(first.api_key);
      expect(rotated.printed).toContain('demo.json');

      rmSync(join(standalone.dataDir, 'demo.json'));
      const renewed = await startAgain();
      expect(renewed.demo.account_id).toBe(first.account_id);
      expect(renewed.printed).toContain(`Authorization: Bearer ${renewed.demo.api_key}`);

      await ask(renewed.demo, `/admin/v1/accounts/${String(first.account_id)}`, { method: 'DELETE' });
      const erased = await startAgain();
      expect(erased.printed).not.toContain(renewed.demo.api_key);
      rmSync(join(standalone.dataDir, 'demo.json'));
      const replaced = await startAgain();
      expect(replaced.demo.account_id).not.toBe(first.account_id);
      expect(await read(replaced.demo, '/auth/credits')).toMatchObject({ remaining_credits: 1000 });
    },
    6 * START_TIMEOUT_MS,
  );
});
