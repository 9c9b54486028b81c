import { describe, expect, it } from '@jest/globals';
import type { ProviderCallsResult } from './measure-provider-calls.js';
import { providerCallsSection } from './provider-calls-section.js';

const MEGABYTE = 1_048_576;

interface Case {
  readonly addedP95Ms?: number;
  readonly good?: number;
  readonly mostOpen?: number;
  readonly atOnce?: number;
  readonly healthy?: number;
  readonly slowestMs?: number;
  readonly calls?: number;
  readonly growthPerCall?: number;
  readonly peak?: number;
}

function result(given: Case): ProviderCallsResult {
  const { addedP95Ms = 12, good = 1_000, mostOpen = 60, atOnce = 1_000, healthy = 20, slowestMs = 400 } = given;
  const { calls = 100_000, growthPerCall = 0, peak = 410 } = given;
  const row = {
    answersPerSecond: 399,
    p50Ms: 20,
    p95Ms: 21,
    p99Ms: 22,
    addedP50Ms: 0,
    cpuMicroseconds: { provider: 100 },
  };
  const probe = { sent: 20, good: 20, medianMs: 3, mostMs: 9 };
  const idle = { health: probe, freeCall: probe, paidCall: probe };
  const paidCall = { ...probe, mostMs: slowestMs };
  return {
    accounts: 600,
    latency: {
      perSecond: 400,
      rounds: 3,
      roundSeconds: 8,
      warmUpSeconds: 5,
      providerMs: 20,
      rows: [
        { ...row, what: 'provider directly', addedP95Ms: 0 },
        { ...row, what: 'through a reverse proxy', addedP95Ms: 1.5 },
        { ...row, what: 'through the router', addedP95Ms },
      ],
    },
    slow: {
      providers: 10,
      calls: 1_000,
      delayMs: 2_000,
      good,
      bad: good === 1_000 ? {} : { 503: 1_000 - good },
      wallMs: 4_100,
      p50Ms: 3_000,
      mostMs: 4_000,
      mostAtOnce: atOnce,
      mostAtProviders: 900,
      connections: { mostOpen, mostBusy: 20, limit: 80 },
      memory: { before: 300 * MEGABYTE, most: 400 * MEGABYTE },
      probes: { idle, meanwhile: { ...idle, health: { ...probe, good: healthy }, paidCall } },
      proxy: { wallMs: 2_100, p50Ms: 2_040, mostMs: 2_090 },
    },
    memory: {
      connections: 32,
      wanted: 100_000,
      warmUpCalls: 10_000,
      calls,
      seconds: 200,
      providerCalls: calls,
      samples: 100,
      liveHeap: { start: 90 * MEGABYTE, middle: 91 * MEGABYTE, end: 92 * MEGABYTE, growthPerCall },
      pss: { node: { first: 400 * MEGABYTE, second: peak * MEGABYTE }, postgres: { first: 1, second: 2 } },
    },
  };
}

/** The verdicts on the four bars, in order. */
const verdicts = (given: Case): (string | undefined)[] =>
  [...providerCallsSection(result(given)).matchAll(/\*\*(met|missed)\*\*/g)].map(([, verdict]) => verdict);

describe('providerCallsSection', () => {
  it('says of each bar whether it was met', () => {
    expect(verdicts({})).toEqual(['met', 'met', 'met', 'met']);
    expect(verdicts({ addedP95Ms: 15.1 })).toEqual(['missed', 'met', 'met', 'met']);
  });

  it.each([{ good: 999 }, { mostOpen: 80 }, { atOnce: 999 }])('holds slow calls only as a whole: %j', (given) => {
    expect(verdicts(given)).toEqual(['met', 'missed', 'met', 'met']);
  });

  it('calls others starved where one is refused or waits as long as a slow call', () => {
    expect(verdicts({ healthy: 19 })).toEqual(['met', 'missed', 'missed', 'met']);
    expect(verdicts({ slowestMs: 2_000 })).toEqual(['met', 'met', 'missed', 'met']);
  });

  it('says what came instead of success, and claims nothing about the books then', () => {
    const text = providerCallsSection(result({ good: 990 }));
    expect(text).toContain('503: 10');
    expect(text).not.toContain('charge and one settled audit row for each of the 990');
  });

  it('calls memory flat by what a call leaves behind, and only after all calls', () => {
    const perTenThousand = (megabytes: number): number => (megabytes * MEGABYTE) / 10_000;
    expect(verdicts({ growthPerCall: perTenThousand(0.9) })).toEqual(['met', 'met', 'met', 'met']);
    expect(verdicts({ growthPerCall: perTenThousand(1.1) })).toEqual(['met', 'met', 'met', 'missed']);
    expect(verdicts({ growthPerCall: Number.NaN })).toEqual(['met', 'met', 'met', 'missed']);
    expect(verdicts({ peak: 441 })).toEqual(['met', 'met', 'met', 'missed']);
    expect(verdicts({ calls: 80_000 })).toEqual(['met', 'met', 'met', 'missed']);
    expect(providerCallsSection(result({ calls: 80_000 }))).toContain('time was up after 80,000 calls');
  });
});
