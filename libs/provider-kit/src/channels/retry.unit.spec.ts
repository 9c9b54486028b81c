import { describe, expect, it } from '@jest/globals';
import { failure, unsent, type ProviderAnswer } from '../provider-adapter.js';
import { withRetries } from './retry.js';

const broken = failure('no_response', 'The connection ended.', { retryable: true });
const unreachable = unsent(failure('no_response', 'No connection could be made.', { retryable: true }));

/** The result of the last of these attempts; the last one is repeated. */
async function after(...attempts: [ProviderAnswer, ...ProviderAnswer[]]): Promise<ProviderAnswer> {
  let last = attempts[0];
  return withRetries(() => Promise.resolve((last = attempts.shift() ?? last)), 60_000);
}

describe('attempts that are repeated', () => {
  it('sent nothing where none of them did', async () => {
    expect(await after(unreachable)).toEqual(unreachable);
  });

  it('may have been sent where one of them may have been', async () => {
    expect(await after(broken, unreachable)).toEqual({ ...unreachable, sent: undefined });
    expect(await after(unreachable, broken)).toEqual(broken);
  });
});
