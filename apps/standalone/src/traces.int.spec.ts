import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TraceCollector, type CollectedSpan } from '@capability-router/service-kit/testing';
import type { Demo } from './demo.js';
import { pause, read, StandaloneProcess, START_TIMEOUT_MS } from './test-support/standalone-process.js';

const TOOL = 'formula.expression.evaluate.v1';
const route = 'POST /api/v1/tools/execute';
const WAIT_MS = 60_000;
/** The span of a group that has taken the end of a call. */
const END = 'process ExecutionCompleted';
/** Sent by the exporter with each request. */
const HEADER = 'a-secret-of-the-collector';

/** A caller may put anything there. */
const CHOSEN_ID = 'my-password';

const standalone = new StandaloneProcess();
const collector = new TraceCollector();
let demo: Demo;

beforeAll(async () => {
  demo = await standalone.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${HEADER}`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await standalone.remove();
  await collector.stop();
});

const newTrace = (): string => randomBytes(16).toString('hex');
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${demo.base_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.api_key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The spans of a trace once there are those that `have` looks for. */
async function spansOf(traceId: string, have: (spans: readonly CollectedSpan[]) => boolean): Promise<CollectedSpan[]> {
  const deadline = Date.now() + WAIT_MS;
  while (!have(collector.of(traceId)) && Date.now() < deadline) await pause(100);
  return collector.of(traceId);
}
const named = (spans: readonly CollectedSpan[], service: string, name: string): CollectedSpan | undefined =>
  spans.find((span) => span.service === service && span.name === name);

describe('standalone with a place for spans', () => {
  it('makes one trace of a call, from the caller through provider and hold to its settlement and its audit row', async () => {
    const [traceId, callerSpan] = [newTrace(), randomBytes(8).toString('hex')];
    const traceparent = `00-${traceId}-${callerSpan}-00`;
    const answer = await post(`/tools/execute?tool_id=${TOOL}`, { parameters: { expression: '1+1' } }, { traceparent });
    const called = (await answer.json()) as { readonly execution_id: string };
    expect(answer.status).toBe(200);
    // Each service sends its own, once a second.
    const isWhole = (spans: readonly CollectedSpan[]): boolean =>
      ['gateway', 'execution'].every((service) => named(spans, service, route) !== undefined) &&
      ['billing.settlement', 'billing.usage-audit'].every((group) =>
        spans.some(({ name, attributes }) => name === END && attributes['messaging.consumer.group.name'] === group),
      );
    const spans = await spansOf(traceId, isWhole);
    const atGateway = named(spans, 'gateway', route);
    expect(atGateway).toMatchObject({
      kind: 'server',
      parentId: callerSpan,
      failed: false,
      attributes: {
        'http.response.status_code': 200,
        'capability_router.account_id': demo.account_id,
        'capability_router.execution_id': called.execution_id,
      },
    });
    const toExecution = named(spans, 'gateway', 'POST execution');
    expect(toExecution).toMatchObject({ kind: 'client', parentId: atGateway?.spanId });
    const atExecution = named(spans, 'execution', route);
    expect(atExecution).toMatchObject({ kind: 'server', parentId: toExecution?.spanId });
    expect(named(spans, 'execution', 'call formula')).toMatchObject({
      kind: 'client',
      parentId: atExecution?.spanId,
      attributes: { 'capability_router.tool_id': TOOL, 'capability_router.execution_id': called.execution_id },
    });
    const toBilling = named(spans, 'execution', 'POST billing');
    expect(toBilling).toMatchObject({ kind: 'client', parentId: atExecution?.spanId });
    expect(named(spans, 'billing', 'POST /internal/holds')).toMatchObject({ parentId: toBilling?.spanId });
    // Statements are of the request that asks for them, told by their names.
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    const asking = new Set(statements.map(({ service }) => service));
    expect([...asking].sort()).toEqual(expect.arrayContaining(['billing', 'execution']));
    for (const { name, kind, parentId, attributes } of statements) {
      expect(kind).toBe('client');
      expect(spans.map(({ spanId }) => spanId)).toContain(parentId);
      expect(name).toMatch(/^(?:[a-z][a-z_-]*|[A-Z]+(?: [a-z_]+)?)$/);
      expect(Object.keys(attributes)).toEqual(['db.system.name']);
    }
    // An event is of the request that led to it.
    const settled = spans.filter(({ name }) => name === END);
    expect(settled.length).toBeGreaterThanOrEqual(2);
    for (const span of settled) expect(span).toMatchObject({ kind: 'consumer', parentId: atExecution?.spanId });
    expect(collector.lastHeaders['x-collector-key']).toBe(HEADER);
    const { items } = await read(demo, `/auth/usage/history/v2?execution_id=${called.execution_id}`);
    expect(items).toEqual([expect.objectContaining({ trace_id: traceId })]);
  });

  it('names the trace in an error, which the collector has as well, and has no secret in any span', async () => {
    const chosen = { 'x-request-id': CHOSEN_ID };
    const answer = await post('/tools/execute?tool_id=no.such.tool.v1', { parameters: {} }, chosen);
    const { trace_id: traceId } = (await answer.json()) as { readonly trace_id: string };
    expect([answer.status, traceId]).toEqual([422, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const spans = await spansOf(traceId, (found) => found.some(({ service }) => service === 'gateway'));
    expect(named(spans, 'gateway', route)).toMatchObject({
      parentId: '',
      attributes: { 'http.response.status_code': 422 },
    });
    const told = JSON.stringify(collector.spans);
    for (const secret of [demo.api_key, demo.admin_key, HEADER, CHOSEN_ID, '127.0.0.1', '1+1'])
      expect(told).not.toContain(secret);
  });

  it('has no span of what nobody asked for', () => {
    const roots = new Set(collector.spans.filter(({ parentId }) => parentId === '').map(({ service }) => service));
    expect([...roots]).toEqual(['gateway']);
  });
});
