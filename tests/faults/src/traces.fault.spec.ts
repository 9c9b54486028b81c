import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TraceCollector, type CollectedSpan } from '@capability-router/service-kit/testing';
import { PAID_TOOL_ID, pause, type LoadAccount } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const WAIT_MS = 60_000;
const TIMEOUT_MS = 180_000;
/** Calls while there is no collector. */
const CALLS_ALONE = 20;
/** They read what execution publishes. */
const GROUPS = ['billing.settlement', 'billing.usage-audit'];

describe('traces on the real stack', () => {
  const collector = new TraceCollector();
  let stand: Stand;
  let account: LoadAccount;

  beforeAll(async () => {
    stand = await Stand.open();
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start() };
    const names = ['gateway', 'execution', 'billing'] as const;
    const replicas = names.flatMap((name) => [`${name} 0`, `${name} 1`] as const);
    await stand.arrange(Object.fromEntries(replicas.map((name) => [name, traced])));
    const [opened] = await stand.openAccounts(1);
    if (opened === undefined) throw new Error('no account was opened');
    account = opened;
  }, HOOK_TIMEOUT_MS);
  afterAll(async () => {
    await stand.close();
    await collector.stop();
  }, HOOK_TIMEOUT_MS);

  /** Resolves to the status of the answer. */
  async function callWithin(traceId: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    };
    const body = JSON.stringify({ parameters: { expression: '2*3' } });
    const url = `${stand.origin}/api/v1/tools/execute?tool_id=${PAID_TOOL_ID}`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }
  const newTrace = (): string => randomBytes(16).toString('hex');
  const groupsOf = (spans: readonly CollectedSpan[]): unknown[] =>
    spans.map(({ attributes }) => attributes['messaging.consumer.group.name']).filter((group) => group !== undefined);
  const isWhole = (traceId: string): boolean => {
    const spans = collector.of(traceId);
    const services = new Set(spans.map(({ service }) => service));
    return services.size === 3 && GROUPS.every((group) => groupsOf(spans).includes(group));
  };
  async function untilWhole(traceId: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while (!isWhole(traceId) && Date.now() < deadline) await pause(100);
    expect([...new Set(groupsOf(collector.of(traceId)))].sort()).toEqual(GROUPS);
    expect([...new Set(collector.of(traceId).map(({ service }) => service))].sort()).toEqual([
      'billing',
      'execution',
      'gateway',
    ]);
  }
  async function usageOf(traceId: string): Promise<Record<string, unknown> | undefined> {
    const url = `${stand.origin}/api/v1/auth/usage/history/v2?limit=100`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${account.key}` } });
    const { data } = (await answer.json()) as { data: { items: Record<string, unknown>[] } };
    return data.items.find((item) => item['trace_id'] === traceId);
  }

  it(
    'go through Kafka to the settlement, and a collector that is away holds up nobody and loses its own spans alone',
    async () => {
      const first = newTrace();
      expect(await callWithin(first)).toBe(200);
      await untilWhole(first);
      expect(await usageOf(first)).toMatchObject({ billing_snapshot_status: 'settled' });

      collector.isAway = true;
      const alone = Array.from({ length: CALLS_ALONE }, newTrace);
      for (const traceId of alone) expect(await callWithin(traceId)).toBe(200);
      const deadline = Date.now() + WAIT_MS;
      for (const traceId of alone) {
        while ((await usageOf(traceId))?.['billing_snapshot_status'] !== 'settled' && Date.now() < deadline) {
          await pause(100);
        }
        expect(await usageOf(traceId)).toMatchObject({ billing_snapshot_status: 'settled', success: true });
      }

      collector.isAway = false;
      const last = newTrace();
      expect(await callWithin(last)).toBe(200);
      await untilWhole(last);
    },
    TIMEOUT_MS,
  );
});
