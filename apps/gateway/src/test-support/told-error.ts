import { errorRegistry, type ErrorCode } from '@capability-router/kernel';

/** The members that every error has, whatever its shape. */
export const toldError = (code: ErrorCode) => ({
  code,
  retryable: errorRegistry[code].retryable,
  next_step: errorRegistry[code].nextStep,
});
