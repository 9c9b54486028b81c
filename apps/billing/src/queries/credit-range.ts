import { creditsFromNumber } from '@capability-router/kernel';
import { invalidQuery } from './date-window.js';

/** Bounds of an amount in micro-credits, both inclusive, as text for a `bigint` parameter. */
export interface CreditRange {
  readonly min?: string;
  readonly max?: string;
}

/** `min_credits` and `max_credits` of the audit and the ledger. A bound below 0 or an empty range is a 400. */
export function parseCreditRange(query: { min_credits?: number; max_credits?: number }): CreditRange {
  const { min_credits: min, max_credits: max } = query;
  if (min !== undefined && min < 0) throw invalidQuery('min_credits must be >= 0');
  if (max !== undefined && max < 0) throw invalidQuery('max_credits must be >= 0');
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidQuery('min_credits must not be greater than max_credits');
  }
  return {
    ...(min === undefined ? {} : { min: micro('min_credits', min) }),
    ...(max === undefined ? {} : { max: micro('max_credits', max) }),
  };
}

function micro(name: string, value: number): string {
  try {
    return creditsFromNumber(value).toString();
  } catch (error) {
    if (error instanceof RangeError) throw invalidQuery(`${name}: ${error.message}`);
    throw error;
  }
}
