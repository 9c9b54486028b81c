import { describe, expect, it } from '@jest/globals';
import { reasonCodes, topicNames, type EventEnvelope } from '@capability-router/contracts';
import {
  addCounts,
  latencyBoundsMs,
  latencyBucket,
  newExecutionId,
  percentileMs,
  type JsonObject,
} from '@capability-router/kernel';
import { summarise, toBuckets } from './buckets.js';
import { samplesOf, type CountableSample } from './sample.js';
import { toStatistics } from './tool-statistics.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const DAY_MS = 86_400_000;
const executionId = newExecutionId(NOW);
const sample = (over: Partial<CountableSample> = {}): CountableSample => ({
  executionId,
  key: executionId,
  accountId: 'acc_1',
  toolId: 'a.b.c.v1',
  providerId: 'a',
  success: true,
  durationMs: 10,
  completedAtMs: NOW,
  ...over,
});

const completed = (data: JsonObject, type = 'ExecutionCompleted'): EventEnvelope => ({
  id: '00000000-0000-7000-8000-000000000000',
  type,
  source: 'execution',
  subject: 'exec_1',
  sequence: 2,
  time: '2026-03-10T12:00:00.000Z',
  topic: topicNames.executions,
  partitionKey: 'acc_1',
  data: {
    executionId,
    accountId: 'acc_1',
    eventType: 'tool_execute',
    toolId: 'a.b.c.v1',
    outcome: { reasonCode: 'result.valid' },
    durationMs: 12.4,
    completedAt: '2026-03-10T12:00:00.000Z',
    ...data,
  },
});
const verdict = (outcome: JsonObject): string => {
  const [found] = samplesOf(completed({ outcome }));
  return found === undefined ? 'neither' : found.success ? 'success' : 'failure';
};

describe('what an outcome says about a tool', () => {
  it('is decided for every reason code', () => {
    expect(Object.fromEntries(reasonCodes.map((reasonCode) => [reasonCode, verdict({ reasonCode })]))).toEqual({
      'result.valid': 'success',
      'result.partial_success': 'success',
      'result.empty': 'neither',
      'provider.error': 'failure',
      'provider.http_error': 'failure',
      'provider.rate_limited': 'failure',
      'provider.auth_or_permission': 'failure',
      'transport.timeout': 'failure',
      'transport.no_response': 'failure',
      'transport.execution_failed': 'failure',
      validation_error: 'neither',
      tool_unavailable: 'neither',
      region_restricted: 'neither',
      oauth_signin_required: 'neither',
      insufficient_credits: 'neither',
      budget_exceeded: 'neither',
    });
  });

  it("is nothing where the provider refused the caller's parameters, where the fault is ours, or for a code of a newer build", () => {
    expect(verdict({ reasonCode: 'provider.error', callerFault: true })).toBe('neither');
    expect(verdict({ reasonCode: 'provider.http_error', callerFault: false })).toBe('failure');
    expect(verdict({ reasonCode: 'transport.execution_failed', ours: true })).toBe('neither');
    expect(verdict({ reasonCode: 'transport.timeout', ours: true })).toBe('neither');
    expect(verdict({ reasonCode: 'of.tomorrow' })).toBe('neither');
  });

  it('is nothing where the tool was not asked, or not alone', () => {
    expect(samplesOf(completed({}, 'ExecutionRefused'))).toEqual([]);
    expect(samplesOf(completed({}, 'ExecutionInterrupted'))).toEqual([]);
    expect(samplesOf(completed({}, 'ExecutionStarted'))).toEqual([]);
    expect(samplesOf(completed({ reasonCode: 'provider.error' }, 'ExecutionOutcomeRevised'))).toEqual([]);
    expect(samplesOf(completed({ servedFromCache: true }))).toEqual([]);
    expect(samplesOf(completed({ eventType: 'capabilities_query' }))).toEqual([]);
    const { providerId: _providerId, ...expected } = sample({ durationMs: 12 });
    expect(samplesOf(completed({}))).toEqual([expected]);
  });

  it('is one sample of each attempt of a query that was sent, with its own time', () => {
    const attempt = { toolVersion: 1, status: 'failed', reason: 'provider.http_error', durationMs: 9 };
    const attempts = [
      { ...attempt, toolId: 'a.slow.c.v1' },
      { ...attempt, toolId: 'a.left.c.v1', status: 'skipped', reason: 'no_time' },
      { ...attempt, toolId: 'a.busy.c.v1', reason: 'transport.execution_failed', ours: true },
      { ...attempt, toolId: 'a.b.c.v1', status: 'served', reason: 'result.valid', durationMs: 3 },
    ];
    const found = samplesOf(completed({ eventType: 'capabilities_query', attempts }));
    expect(found.map(({ toolId, success, durationMs }) => [toolId, success, durationMs])).toEqual([
      ['a.slow.c.v1', false, 9],
      ['a.b.c.v1', true, 3],
    ]);
    expect(new Set(found.map(({ key }) => key)).size).toBe(2);
    const cached = samplesOf(completed({ eventType: 'capabilities_query', attempts, servedFromCache: true }));
    expect(cached.map(({ toolId }) => toolId)).toEqual(['a.slow.c.v1']);
  });

  it('is nothing where the event cannot be counted', () => {
    expect(samplesOf(completed({ executionId: 'nonsense' }))).toEqual([]);
    expect(samplesOf(completed({ durationMs: null }))).toEqual([]);
    const { toolId: _toolId, ...data } = completed({}).data;
    expect(samplesOf({ ...completed({}), data })).toEqual([]);
  });
});

describe('latencies', () => {
  it('have a bucket whose bounds hold them, up to the longest deadline and beyond', () => {
    for (const ms of [0, 1, 1.1, 42, 999, 30_000, 100_000]) {
      const bucket = latencyBucket(ms);
      expect(ms).toBeLessThanOrEqual(latencyBoundsMs[bucket] ?? 0);
      if (bucket > 0) expect(ms).toBeGreaterThan(latencyBoundsMs[bucket - 1] ?? 0);
    }
    expect(latencyBucket(10_000_000)).toBe(latencyBoundsMs.length - 1);
    expect(latencyBoundsMs.length).toBeLessThanOrEqual(100);
  });

  it('give a percentile of merged days that is off by less than a bucket', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => 5 + index * 3);
    const merged: number[] = [];
    for (const half of [values.filter((_, i) => i % 2 === 0), values.filter((_, i) => i % 2 === 1)]) {
      const [bucket] = toBuckets(half.map((durationMs) => sample({ durationMs })));
      addCounts(merged, bucket?.latencyCounts ?? []);
    }
    for (const share of [0.5, 0.95, 0.99]) {
      const exact = values[share * values.length - 1] ?? 0;
      const told = percentileMs(merged, share) ?? 0;
      expect(Math.abs(told - exact) / exact).toBeLessThan(0.25);
    }
    expect(percentileMs([], 0.95)).toBeUndefined();
  });
});

describe('a window', () => {
  it('is kept by tool and by provider, by day, in the order in which rows are locked', () => {
    const buckets = toBuckets([
      sample({ completedAtMs: NOW + DAY_MS }),
      sample({ toolId: 'a.b.d.v1', success: false }),
      sample({ durationMs: 30 }),
    ]);
    expect(buckets.map(({ subject, day }) => `${subject} ${day}`)).toEqual([
      'provider:a 2026-03-10',
      'provider:a 2026-03-11',
      'tool:a.b.c.v1 2026-03-10',
      'tool:a.b.c.v1 2026-03-11',
      'tool:a.b.d.v1 2026-03-10',
    ]);
    expect(buckets[0]).toMatchObject({ successCount: 1, failureCount: 1, durationMsSum: 30 });
  });

  it('has latencies of successes only: a tool that fails fast is not fast', () => {
    const [bucket] = toBuckets([sample({ durationMs: 100 }), sample({ durationMs: 1, success: false })]);
    expect(summarise(bucket === undefined ? [] : [bucket])).toMatchObject({ averageMs: 100 });
    const [failures] = toBuckets([sample({ success: false })]);
    expect(summarise(failures === undefined ? [] : [failures])).toEqual({
      successCount: 0,
      failureCount: 1,
      lastSampleAtMs: NOW,
    });
  });
});

describe('statistics', () => {
  const policy = { windowDays: 30, minSamples: 20, staleAfterDays: 7 };
  const summary = { successCount: 18, failureCount: 2, averageMs: 12.345, p95Ms: 99.99, lastSampleAtMs: NOW };

  it('tell numbers only above the floor of samples, and latencies only above that of successes', () => {
    expect(toStatistics({ ...summary, failureCount: 1 }, policy, NOW)).toEqual({
      sampleCount: 19,
      status: 'insufficient',
      window: '30d',
      lastCheckedAt: '2026-03-10T12:00:00.000Z',
    });
    const rateOnly = toStatistics(summary, policy, NOW);
    expect(rateOnly).toMatchObject({ status: 'available', successRate: 0.9 });
    expect(rateOnly).not.toHaveProperty('averageMs');
    expect(toStatistics({ ...summary, successCount: 20 }, policy, NOW)).toMatchObject({ averageMs: 12.3, p95Ms: 100 });
  });

  it('are stale once the last sample is older than the limit', () => {
    expect(toStatistics(summary, policy, NOW + 7 * DAY_MS).status).toBe('available');
    expect(toStatistics(summary, policy, NOW + 7 * DAY_MS + 1).status).toBe('stale');
  });
});
