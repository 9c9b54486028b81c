import { MAX_ABSOLUTE_CREDITS, MICRO_CREDITS_PER_CREDIT } from '@capability-router/kernel';
import { invalidQuery } from './date-window.js';

/** Bounds of an amount in micro-credits, both inclusive, as text for a `bigint` parameter. */
export interface CreditRange {
  readonly min?: string;
  readonly max?: string;
}

/** Says of a bound that is none. */
export const aNumber = { message: '$property must be a number' };

const MAX_CREDITS = Number(MAX_ABSOLUTE_CREDITS);
const MICRO_PER_CREDIT = Number(MICRO_CREDITS_PER_CREDIT);
/** As a bound it leaves out, or lets through, whatever there is. */
const BEYOND_ALL_MICRO = (MAX_ABSOLUTE_CREDITS * MICRO_CREDITS_PER_CREDIT + 1n).toString();

/**
 * `min_credits` and `max_credits` of the audit and the ledger: any numbers from 0, also such as no amount has. A bound
 * below 0 or an empty range is a 400.
 */
export function parseCreditRange(query: { min_credits?: number; max_credits?: number }): CreditRange {
  const { min_credits: min, max_credits: max } = query;
  if (min !== undefined && min < 0) throw invalidQuery('min_credits must be >= 0');
  if (max !== undefined && max < 0) throw invalidQuery('max_credits must be >= 0');
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidQuery('min_credits must not be greater than max_credits');
  }
  return {
    ...(min === undefined ? {} : { min: micro(min, Math.ceil) }),
    ...(max === undefined ? {} : { max: micro(max, Math.floor) }),
  };
}

function micro(credits: number, roundInwards: (micro: number) => number): string {
  if (credits > MAX_CREDITS) return BEYOND_ALL_MICRO;
  const exact = credits * MICRO_PER_CREDIT;
  const whole = Math.round(exact);
  // Six decimals, times a million, miss their whole number by the noise of a float; what misses it by more lies between
  // two amounts.
  const isNoise = Math.abs(exact - whole) <= Math.max(1e-6, exact * 4 * Number.EPSILON);
  return String(isNoise ? whole : roundInwards(exact));
}
