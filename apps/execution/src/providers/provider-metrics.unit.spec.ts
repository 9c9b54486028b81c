import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { toolContract } from '../test-support/tool-contract.js';
import { providerMetrics } from './provider-metrics.js';

const { binding, provider } = toolContract();

describe('metrics of providers', () => {
  it('have series for a bounded number of providers, and one for all others', async () => {
    const registry = new Registry();
    const { onAnswer } = providerMetrics(
      registry,
      () => [],
      () => 0,
    );
    const answer = { kind: 'answered', data: 1 } as const;
    const called = Array.from({ length: 150 }, (_, index) => `p${index}`);
    for (const providerId of [...called, 'p0', 'p149']) {
      onAnswer({ binding, provider: { ...provider, providerId } }, answer, 250);
    }
    const text = await registry.getSingleMetricAsString('provider_call_duration_seconds');
    const counts = text.split('\n').filter((line) => line.startsWith('provider_call_duration_seconds_count'));
    expect(counts).toHaveLength(101);
    expect(counts).toContain('provider_call_duration_seconds_count{provider_id="p0"} 2');
    expect(counts).toContain('provider_call_duration_seconds_count{provider_id="(others)"} 51');
    expect(text).toContain('provider_call_duration_seconds_sum{provider_id="p0"} 0.5');
  });
});
