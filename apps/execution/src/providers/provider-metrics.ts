import type { BreakerReport, BreakerState, OnAnswer } from '@capability-router/provider-kit';
import { Counter, Gauge, type Registry } from 'prom-client';

const stateValues: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

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
    onAnswer: (kind, answer, durationMs) => {
      calls.inc({ kind, result: answer.kind === 'answered' ? 'answered' : answer.fault });
      seconds.inc({ kind }, durationMs / 1_000);
    },
  };
}
