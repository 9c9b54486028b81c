import { describe, expect, it } from '@jest/globals';
import type { CallCost } from '../call-cost/call-cost.js';
import { assumptions } from './assumptions.js';
import { readDemand } from './demand.js';
import { estimate, type Demand, type TopicTerms } from './estimate.js';
import { publishedFigures } from './published-figures.js';

const growth = (heapBytes: number, indexBytes: number) => ({ heapBytes, indexBytes });
/** Round numbers, so that a reader can follow the sums. */
const cost: CallCost = {
  ...{ measuredOn: '2026-01-01', machine: 'a machine', calls: 1_000, connections: 16, accounts: 100 },
  perCall: {
    databases: { billing: growth(3_000, 1_000), execution: growth(1_000, 500) },
    activeShare: { billing: 0.75, execution: 0.25 },
    walRecordBytes: { billing: 8_000, execution: 2_000, commits: 100 },
    walPageImageBytes: 4_000,
    topicBytes: {
      'internal.execution.executions.v1': 1_000,
      'public.billing.balances.v1': 300,
      'public.billing.ledger-entries.v1': 700,
    },
  },
  perAccount: { databases: { billing: growth(1_500, 500) }, topicBytes: { 'public.billing.balances.v1': 300 } },
  memoryBytes: { billing: 100_000_000, execution: 150_000_000 },
};
const figures = {
  cpuMicroseconds: { PostgreSQL: 1_000, billing: 900, execution: 300, Kafka: 400, Redis: 50 },
  settledPerSecond: 1_000,
};
const topic = (name: string, retentionDays: number | undefined, compacted = false): TopicTerms => ({
  name,
  partitions: 24,
  retentionDays,
  compacted,
});
const topics = [
  topic('internal.execution.executions.v1', 30),
  topic('public.billing.ledger-entries.v1', undefined),
  topic('public.billing.balances.v1', undefined, true),
  topic('internal.registry.searches.v1', 30),
];
const of = (demand: Partial<Demand> = {}) =>
  estimate({ callsPerSecond: 1_000, accounts: 10_000, days: 100, ...demand }, cost, figures, topics, assumptions);

describe('the estimate of a deployment', () => {
  it('plans replicas for the part of a processor that is used, one more than that, and two at least', () => {
    expect(of().services).toEqual([
      { name: 'billing', cores: 0.9, replicas: 3, memoryBytes: 100_000_000 + assumptions.memoryReserveBytes },
      { name: 'execution', cores: 0.3, replicas: 2, memoryBytes: 150_000_000 + assumptions.memoryReserveBytes },
    ]);
    expect(of({ callsPerSecond: 10_000 }).services.map(({ replicas }) => replicas)).toEqual([16, 6]);
    expect(of({ callsPerSecond: 1 }).services.map(({ replicas }) => replicas)).toEqual([2, 2]);
  });

  it('tells of each database its processors, its log and its size', () => {
    const perDay = 4_000 * 1_000 * 86_400;
    expect(of().databases[0]).toEqual({
      service: 'billing',
      cores: 0.75,
      walBytesPerSecond: 8_000_000,
      bytesPerDay: perDay,
      bytesOfAccounts: 20_000_000,
      bytesAfter: 20_000_000 + 100 * perDay,
    });
  });

  it('keeps a topic for its retention, for ever, or one record of each account, and leaves out what a call does not write', () => {
    const kept = (days: number, bytes: number): number => days * 86_400 * 1_000 * bytes;
    const { topics: found, brokers } = of();
    expect(found.map(({ bytesKept }) => bytesKept)).toEqual([kept(30, 1_000), kept(100, 700), 600 * 10_000]);
    expect(of({ days: 10 }).topics[0]?.bytesKept).toBe(kept(10, 1_000));
    expect(brokers).toMatchObject({ count: 3, bytesPerSecond: 2_000_000 * 3 });
    expect(of({ callsPerSecond: 100_000 }).brokers.count).toBe(6);
  });

  it('names the first bottleneck, and what comes after it', () => {
    // 32 cores used to six tenths, of 750 µs a call; then 24 processes of billing, at six tenths of 1,000.
    expect(
      of()
        .limits.map(({ what, callsPerSecond }) => [what.split(',')[0], Math.round(callsPerSecond)])
        .slice(0, 4),
    ).toEqual([
      ['the one thread of Redis', 12_000],
      ['processes of billing', 14_400],
      ["write-ahead log of billing's database", 18_182],
      ["processors of the primary of billing's database (32 cores)", 25_600],
    ]);
    expect(of({ callsPerSecond: 20_000 }).partitions).toEqual({ needed: 34, there: 24 });
  });

  it('has the figures that are published', () => {
    const { cpuMicroseconds, settledPerSecond } = publishedFigures();
    for (const name of ['PostgreSQL', 'billing', 'execution', 'gateway', 'Kafka', 'Redis'])
      expect({ name, known: (cpuMicroseconds[name] ?? 0) > 0 }).toEqual({ name, known: true });
    expect(settledPerSecond).toBeGreaterThan(0);
    expect(() => publishedFigures('# Performance')).toThrow('npm run bench -- --stack');
  });
});

describe('what capacity is asked for', () => {
  it('is a rate and a number of accounts, over a year where nothing else is said', () => {
    expect(readDemand({ 'calls-per-second': '5000', accounts: '1000000' })).toEqual({
      callsPerSecond: 5_000,
      accounts: 1_000_000,
      days: 365,
    });
  });

  it.each([
    [{ accounts: '1' }, '--calls-per-second is a whole number from 1 to 1,000,000, not absent.'],
    [{ 'calls-per-second': '-5', accounts: '1' }, '--calls-per-second'],
    [{ 'calls-per-second': '5', accounts: 'many' }, '--accounts'],
    [{ 'calls-per-second': '5', accounts: '1', days: '0' }, '--days'],
  ])('is refused as %j with the way out', (values, message) => {
    expect(() => readDemand(values)).toThrow(message);
  });
});
