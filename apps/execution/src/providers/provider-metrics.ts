import type { BreakerReport, BreakerState, OnAnswer } from '@capability-router/provider-kit';
import { keptTraceId, TracedHistogram } from '@capability-router/service-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const stateValues: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** Providers with series of their own; those that are called first once a replica has started. */
const MAX_PROVIDERS = 100;
/** Stands for all others; the id of a provider has no brackets. */
const OTHERS = '(others)';
/** Seconds. From a built-in tool to the longest deadline. */
const bucketsSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 100];
const MS_PER_SECOND = 1_000;
const LATENCIES = 'provider_call_duration_seconds';

export interface ProviderMetrics {
  readonly onAnswer: OnAnswer;
}

/** Counts what calls to providers come to, and shows whom the breakers leave alone. Call it once per registry. */
export function providerMetrics(
  registry: Registry,
  breakers: () => readonly BreakerReport[],
  inFlight: () => number,
): ProviderMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: 'provider_calls_total',
    help: 'Calls by kind of binding and by what came of them: answered, or the fault.',
    labelNames: ['kind', 'result'] as const,
    registers,
  });
  const seconds = new Counter({
    name: 'provider_call_seconds_total',
    help: 'Seconds that calls took, waiting for a turn and retries included.',
    labelNames: ['kind'] as const,
    registers,
  });
  const latencies = new Histogram({
    name: LATENCIES,
    help: `Seconds of a call by provider, waiting for a turn and retries included; ${MAX_PROVIDERS} providers have series of their own.`,
    labelNames: ['provider_id'] as const,
    buckets: bucketsSeconds,
    registers,
  });
  const traced = new TracedHistogram(latencies, LATENCIES, bucketsSeconds, registry);
  const named = new Set<string>();
  const nameOf = (providerId: string): string => {
    if (named.size < MAX_PROVIDERS) named.add(providerId);
    return named.has(providerId) ? providerId : OTHERS;
  };
  new Gauge({
    name: 'provider_breaker_state',
    help: 'Breakers that are not closed: 1 half open, 2 open.',
    labelNames: ['provider_id'] as const,
    registers,
    collect() {
      // Closed ones are left out: as many series as troubled providers, not as many as providers.
      this.reset();
      for (const { providerId, state } of breakers()) {
        if (state !== 'closed') this.set({ provider_id: providerId }, stateValues[state]);
      }
    },
  });
  new Gauge({
    name: 'provider_calls_in_flight',
    help: 'Calls to providers over the network that run or wait for a turn.',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  return {
    onAnswer: ({ binding: { kind }, provider }, answer, durationMs) => {
      traced.observe({ provider_id: nameOf(provider.providerId) }, durationMs / MS_PER_SECOND, keptTraceId());
      calls.inc({ kind, result: answer.kind === 'answered' ? 'answered' : answer.fault });
      seconds.inc({ kind }, durationMs / MS_PER_SECOND);
    },
  };
}
