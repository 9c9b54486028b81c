import { describe, expect, it } from '@jest/globals';
import { failure, type ProviderAnswer } from '../provider-adapter.js';
import { Breaker } from './breaker.js';

const CALLS = 20;
const timeout = (): Promise<ProviderAnswer> => Promise.resolve(failure('timeout', '', { retryable: true }));

async function stateAfter(signal?: AbortSignal): Promise<string> {
  const breaker = new Breaker(10_000, () => undefined);
  for (let call = 0; call < CALLS; call += 1) await breaker.run(timeout, signal);
  return breaker.state;
}

describe('the breaker of a provider', () => {
  it('opens where calls are not answered in time', async () => {
    expect(await stateAfter()).toBe('open');
  });

  it('stays closed where callers gave their calls up: that says nothing of the provider', async () => {
    expect(await stateAfter(AbortSignal.abort())).toBe('closed');
    expect(await stateAfter(new AbortController().signal)).toBe('open');
  });
});
