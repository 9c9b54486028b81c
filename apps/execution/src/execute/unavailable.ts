import { AppError } from '@capability-router/kernel';

/** Seconds after which a caller may try again when billing or the database was not there. */
const RETRY_AFTER_SECONDS = 2;

export const notRecorded = 'The call could not be recorded and was not run. Retry later.';

/** 503: nothing was run, so a retry is safe. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}
