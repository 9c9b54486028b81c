import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import type { KeptResults } from '../result-shaping/store/kept-results.js';
import { forgetRowsOf } from './forget-account.sql.js';

/** Removes what callers sent and what tools answered, full results too. Resolves to the rows and results removed. */
export async function forgetAccount(
  pool: pg.Pool,
  results: Pick<KeptResults, 'removeAccount'>,
  accountId: string,
): Promise<number> {
  return (await forgetRowsOf(pool, accountId)) + (await results.removeAccount(accountId as AccountId));
}
