import { describe, expect, it } from '@jest/globals';
import type { RefusedCall } from '@capability-router/provider-kit';
import { notDispatched } from './not-dispatched.js';

const unfit: RefusedCall = {
  kind: 'failed',
  fault: 'invalid_parameters',
  message: 'It is too long.',
  retryable: false,
};

describe('parameters that an adapter would not send', () => {
  it('are shown to whoever sent them, and not where they were made for a tool that the caller did not name', () => {
    expect(notDispatched(unfit, { city: 'Bern' })).toMatchObject({ details: [{ input: { city: 'Bern' } }] });
    expect(notDispatched(unfit, undefined)).toMatchObject({ details: [{ msg: 'It is too long.', input: null }] });
  });
});
