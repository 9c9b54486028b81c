import { describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { attemptSamplesOf, type AttemptSample } from './attempt-samples.js';
import { admittedShare, closedBreaker, OPEN_MS } from './breaker.js';
import { fadedAt, HALF_LIFE_MS, noEvidence, withSample, type Evidence } from './evidence.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
let count = 0;
const sample = (over: Partial<AttemptSample> = {}): AttemptSample => ({
  key: `exec_${(count += 1)}`,
  accountId: 'acc_1',
  toolId: 'a.b.c.v1',
  success: true,
  durationMs: 100,
  atMs: NOW,
  ...over,
});
const evidenceOf = (samples: readonly AttemptSample[]): Evidence => samples.reduce(withSample, noEvidence);
const several = (length: number, over: Partial<AttemptSample> = {}) => Array.from({ length }, () => sample(over));

const ended = (data: JsonObject, type = 'ExecutionCompleted'): EventEnvelope => ({
  id: '00000000-0000-7000-8000-000000000000',
  type,
  source: 'execution',
  subject: 'exec_1',
  sequence: 2,
  time: '2026-03-10T12:00:00.000Z',
  topic: topicNames.executions,
  partitionKey: 'acc_1',
  data: {
    executionId: 'exec_1',
    accountId: 'acc_1',
    eventType: 'tool_execute',
    toolId: 'a.b.c.v1',
    outcome: { reasonCode: 'result.valid' },
    durationMs: 12.4,
    completedAt: '2026-03-10T12:00:00.000Z',
    ...data,
  },
});

describe('what the end of an execution says of tools', () => {
  it('is one sample of a call', () => {
    expect(attemptSamplesOf(ended({}))).toEqual([
      { key: 'exec_1', accountId: 'acc_1', toolId: 'a.b.c.v1', success: true, durationMs: 12, atMs: NOW },
    ]);
  });

  it('is one sample of each attempt of a query that was sent, with its own time', () => {
    const attempts = [
      { toolId: 'a', toolVersion: 1, status: 'failed', reason: 'provider.http_error', durationMs: 30 },
      { toolId: 'b', toolVersion: 1, status: 'skipped', reason: 'breaker_open' },
      { toolId: 'c', toolVersion: 1, status: 'failed', reason: 'provider.error', callerFault: true, durationMs: 5 },
      {
        toolId: 'c',
        toolVersion: 1,
        status: 'failed',
        reason: 'transport.execution_failed',
        ours: true,
        durationMs: 5,
      },
      { toolId: 'd', toolVersion: 1, status: 'served', reason: 'result.valid', durationMs: 7 },
      { toolId: 'e', toolVersion: 1, status: 'abandoned', hedge: true, reason: 'not_needed', durationMs: 5 },
    ];
    const told = attemptSamplesOf(ended({ eventType: 'capabilities_query', toolId: 'd', attempts }));
    expect(told.map(({ toolId, success, durationMs, atMs }) => [toolId, success, durationMs, atMs - NOW])).toEqual([
      ['a', false, 30, -17],
      ['d', true, 7, 0],
    ]);
    expect(new Set(told.map(({ key }) => key)).size).toBe(2);
  });

  it('is told with the time at which each attempt ended, also where two ran at once', () => {
    const attempt = { toolVersion: 1, reason: 'provider.http_error', durationMs: 9_000 };
    const query = (attempts: JsonObject[]) =>
      attemptSamplesOf(ended({ eventType: 'capabilities_query', durationMs: 60_000, attempts })).map(
        ({ toolId, atMs }) => [toolId, atMs - NOW],
      );
    const failed = { ...attempt, status: 'failed' };
    const served = { ...attempt, status: 'served', reason: 'result.valid' };
    const abandoned = { ...attempt, status: 'abandoned', reason: 'not_needed' };
    const of = (toolId: string, end: JsonObject, durationMs: number, over: JsonObject = {}) => ({
      ...end,
      ...over,
      toolId,
      durationMs,
    });
    const hedge = { hedge: true };
    expect(query([of('a', failed, 1_000), of('b', failed, 2_000), of('c', served, 20_000)])).toEqual([
      ['a', -22_000],
      ['b', -20_000],
      ['c', 0],
    ]);
    // The one beside it ended both, whichever of the two served.
    expect(query([of('a', abandoned, 8_000), of('b', served, 3_000, hedge)])).toEqual([['b', 0]]);
    expect(query([of('a', served, 8_000), of('b', abandoned, 3_000, hedge)])).toEqual([['a', 0]]);
    // Where neither does, it is not told when the second began: no sooner than the first.
    expect(query([of('a', failed, 8_000), of('b', failed, 3_000, hedge), of('c', served, 5_000)])).toEqual([
      ['a', -5_000],
      ['b', -5_000],
      ['c', 0],
    ]);
    expect(query([of('a', failed, 2_000), of('b', failed, 6_000, hedge), of('c', served, 5_000)])).toEqual([
      ['a', -9_000],
      ['b', -5_000],
      ['c', 0],
    ]);
  });

  it.each<[string, EventEnvelope]>([
    ['a refusal', ended({}, 'ExecutionRefused')],
    ['an interruption', ended({}, 'ExecutionInterrupted')],
    ['an answer from a cache', ended({ servedFromCache: true })],
    ['an empty result', ended({ outcome: { reasonCode: 'result.empty' } })],
    ['a code of a newer build', ended({ outcome: { reasonCode: 'of.tomorrow' } })],
    ['a fault of ours', ended({ outcome: { reasonCode: 'transport.execution_failed', ours: true } })],
    ['a duration that is none', ended({ durationMs: null })],
    ['a time that is none', ended({ completedAt: 'soon' })],
  ])('is nothing for %s', (_what, event) => {
    expect(attemptSamplesOf(event)).toEqual([]);
  });
});

describe('evidence', () => {
  it('counts calls, and halves them in an hour', () => {
    const evidence = evidenceOf([...several(30), ...several(10, { success: false })]);
    expect(fadedAt(evidence, NOW)).toMatchObject({ successes: 30, failures: 10 });
    expect(fadedAt(evidence, NOW + HALF_LIFE_MS)).toMatchObject({ successes: 15, failures: 5 });
    expect(fadedAt(evidence, NOW + 24 * HALF_LIFE_MS)).toMatchObject({ successes: 0, failures: 0 });
  });

  it('counts a call that comes late as faded as it would be', () => {
    const inOrder = evidenceOf([sample({ atMs: NOW - HALF_LIFE_MS }), sample()]);
    const late = evidenceOf([sample(), sample({ atMs: NOW - HALF_LIFE_MS })]);
    expect(late.successes).toBeCloseTo(inOrder.successes);
    expect(late.successes).toBeCloseTo(1.5);
    expect(late.asOfMs).toBe(NOW);
  });

  it('counts a call whose event comes twice once', () => {
    const [first, second] = [sample(), sample({ success: false })];
    expect(evidenceOf([first, second, first, second])).toEqual(evidenceOf([first, second]));
  });

  it('knows the p95 of successful calls once there are twenty', () => {
    expect(fadedAt(evidenceOf(several(19)), NOW).p95Ms).toBeUndefined();
    const evidence = evidenceOf([
      ...several(95),
      ...several(5, { durationMs: 2_000 }),
      ...several(50, { success: false }),
    ]);
    const { p95Ms = 0 } = fadedAt(evidence, NOW);
    expect(p95Ms).toBeGreaterThan(80);
    expect(p95Ms).toBeLessThan(130);
  });

  it('is bounded, whatever is called', () => {
    const evidence = evidenceOf(several(5_000, { durationMs: 1e9 }));
    expect(evidence.latencies.length).toBeLessThanOrEqual(100);
    expect(evidence.recent).toHaveLength(100);
  });
});

describe('a tool that is taken back', () => {
  it('begins anew: the failures of before do not keep it out any longer', () => {
    const failed = several(100, { success: false }).map((one, index) => ({ ...one, accountId: `acc_${index % 2}` }));
    const broken = evidenceOf(failed);
    const backMs = (broken.breaker.open?.untilMs ?? 0) + 1;
    const trials = several(10, { atMs: backMs });
    const tried = trials.slice(0, 9).reduce(withSample, broken);
    expect(fadedAt(tried, backMs)).toMatchObject({ successes: 9, failures: 100 });
    expect(fadedAt(trials.reduce(withSample, broken), backMs)).toMatchObject({ successes: 10, failures: 0 });
  });
});

describe('failures of a time that is over, which are told late', () => {
  /** Milliseconds. Queries that began to fail at `NOW` and were served by another provider in twenty seconds. */
  const TOLD_AFTER_MS = 20_000;
  const failures = Array.from({ length: 5 }, (_, index) =>
    sample({ success: false, atMs: NOW + index * 200, accountId: `acc_${index}` }),
  );

  it('keep nobody from a tool that has served since', () => {
    const served = [2_000, 11_000, 18_000].map((ms) => sample({ atMs: NOW + ms }));
    const { breaker, failures: counted } = evidenceOf([...served, ...failures]);
    expect(breaker).toEqual(closedBreaker);
    expect(counted).toBeCloseTo(5, 1);
    // A failure after the last success counts as ever.
    const again = failures.map((one) => ({ ...one, key: `${one.key}+`, atMs: one.atMs + TOLD_AFTER_MS }));
    expect(admittedShare(evidenceOf([...served, ...failures, ...again]).breaker, NOW + TOLD_AFTER_MS, 'acc_7')).toBe(0);
  });

  it('keep callers from it for no longer than if they had been told at once', () => {
    const { breaker } = evidenceOf(failures);
    expect(breaker.open?.untilMs).toBe(NOW + 800 + OPEN_MS);
    expect(admittedShare(breaker, NOW + TOLD_AFTER_MS, 'acc_7')).toBeGreaterThan(0.05);
  });

  it('do not open it again where it has served since', () => {
    const broken = evidenceOf(failures);
    const fromMs = broken.breaker.open?.untilMs ?? 0;
    const tried = [100, 3_000].map((ms) => sample({ atMs: fromMs + ms })).reduce(withSample, broken);
    const late = withSample(tried, sample({ success: false, atMs: fromMs + 1_000 }));
    expect(late.breaker).toEqual(tried.breaker);
  });
});
