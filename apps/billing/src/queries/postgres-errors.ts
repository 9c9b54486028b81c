import { isOfSqlStateClass } from '@capability-router/event-store';

const UNIQUE_VIOLATION = '23505';
const QUERY_CANCELED = '57014';
/** SQLSTATE classes: data exception, integrity violation, transaction rollback (a deadlock). */
const DATA_FAULTS = ['22', '23', '40'];
const LOCK_NOT_AVAILABLE = '55P03';

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

export const isUniqueViolation = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION);
export const isStatementTimeout = (error: unknown): boolean => hasCode(error, QUERY_CANCELED);
export const isLockTimeout = (error: unknown): boolean => hasCode(error, LOCK_NOT_AVAILABLE);
/** Would a part of the statement's rows, or the same at another time, have been written? */
export const isFaultOfData = (error: unknown): boolean => isOfSqlStateClass(error, DATA_FAULTS);
