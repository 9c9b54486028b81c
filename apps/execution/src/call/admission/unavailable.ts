import { AppError } from '@capability-router/kernel';

/** Seconds after which a caller may try again when billing or the database was not there. */
const RETRY_AFTER_SECONDS = 2;

export const notRecorded = 'The call could not be recorded and was not run. Retry later.';

/** The execution was ended before it could begin, so that it never can. */
export const cameTooLate = 'The call reached its tool too late and was not run. Retry later.';

/** The account was closed after its credential had been verified. Nothing was run, and nothing will be. */
export const accountNotActive = (): AppError => new AppError('account_not_active');

/** Nothing is on record of the call yet, so another replica may run it. */
export const notReady = (): AppError =>
  new AppError('not_dispatched', 'This replica is not ready to run tools. Retry later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    notBegun: true,
  });

/** 503 with the code `not_dispatched`: nothing was run, so a retry is safe. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('not_dispatched', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}
