const UNIQUE_VIOLATION = '23505';
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));

export const isUniqueViolation = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION);
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, QUERY_CANCELED);
export const isLockTimeout = (error: unknown): boolean => hasCode(error, LOCK_NOT_AVAILABLE);
/** PostgreSQL broke the transaction off to let another one through; it may be tried again. */
export const isBrokenOff = (error: unknown): boolean => hasCode(error, SERIALIZATION_FAILURE, DEADLOCK_DETECTED);
