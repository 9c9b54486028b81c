import { AppError } from '@capability-router/kernel';

/** Seconds after which a caller may try again when billing or the database was not there. */
const RETRY_AFTER_SECONDS = 2;

export const notRecorded = 'The call could not be recorded and was not run. Retry later.';

/** 503 with the code `not_dispatched`: nothing was run, so a retry is safe. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('not_dispatched', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}
