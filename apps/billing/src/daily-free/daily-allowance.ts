import { creditsFromMicro, creditsToNumber, ZERO_CREDITS, type AccountId } from '@capability-router/kernel';
import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';
import { purgeAllowanceDays, takenOf } from './daily-allowances.sql.js';
import { dayOf, type DailyAllowance } from './domain/daily-allowance.js';

/** Milliseconds. */
const DAY_MS = 86_400_000;
/** Days for which a counter is kept; longer than any hold stays open. */
const KEPT_DAYS = 7;
const BATCHES = { rows: 1_000, statements: 100 };

/** In credits: today's allowance, and what is left of it once open holds are taken off. */
export async function dailyFreeView(
  pool: pg.Pool,
  accountId: AccountId,
  allowance: DailyAllowance | undefined,
): Promise<{ readonly remaining: number; readonly total: number }> {
  if (allowance === undefined) return { remaining: 0, total: 0 };
  const { day, limit } = allowance;
  const taken = await takenOf(pool, accountId, day);
  const remaining = taken < limit ? creditsFromMicro(limit - taken) : ZERO_CREDITS;
  return { remaining: creditsToNumber(remaining), total: creditsToNumber(limit) };
}

/** @returns how many counters of days long past were removed */
export function purgeAllowances(pool: pg.Pool, nowMs: number): Promise<number> {
  const before = dayOf(nowMs - KEPT_DAYS * DAY_MS);
  return repeatWhileFull((limit) => purgeAllowanceDays(pool, before, limit), BATCHES);
}
