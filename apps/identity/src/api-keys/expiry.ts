import { AppError } from '@capability-router/kernel';

/** Milliseconds since the epoch; undefined where the key has no end. Throws 422 for a time that is over. */
export function expiryOf(expiresAt: string | null | undefined, nowMs: number): number | undefined {
  if (expiresAt === undefined || expiresAt === null) return undefined;
  const expiresAtMs = Date.parse(expiresAt);
  if (expiresAtMs > nowMs) return expiresAtMs;
  const msg = 'expires_at is over: a key must end later than now';
  throw new AppError('validation_error', msg, {
    details: [{ type: 'value_error', loc: ['body', 'expires_at'], msg, input: expiresAt }],
  });
}
