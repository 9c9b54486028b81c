import { expect } from '@jest/globals';

/** The members that every error has, whatever its shape. */
export const toldError = (code: string) => ({
  code,
  retryable: expect.any(Boolean),
  next_step: expect.stringMatching(/^\S.*\.$/),
});
