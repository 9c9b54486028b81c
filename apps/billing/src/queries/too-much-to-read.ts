import { AppError } from '@capability-router/kernel';
import { isStatementTimeout } from '@capability-router/service-kit';

/** Seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Gives what `read` gives. Throws a 503 that says how to ask for less where the database gave it up. */
export async function unlessTooMuch<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new AppError('service_unavailable', 'This range holds too much to add up in time. Send a later start_date.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}
