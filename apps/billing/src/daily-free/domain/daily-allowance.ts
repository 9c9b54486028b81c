import type { AccountAssertion } from '@capability-router/contracts';
import { toIso, type Credits } from '@capability-router/kernel';

/** The allowance that a hold may take instead of the balance. */
export interface DailyAllowance {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly limit: Credits;
}

/** The day of a time, in UTC: `YYYY-MM-DD`. */
export const dayOf = (nowMs: number): string => toIso(nowMs).slice(0, 10);

/** Undefined where the deployment has none, and for trial accounts: anybody opens as many of those as they like. */
export function allowanceOf(
  account: Pick<AccountAssertion, 'accountKind'>,
  limit: Credits,
  nowMs: number,
): DailyAllowance | undefined {
  return limit === 0n || account.accountKind === 'trial' ? undefined : { day: dayOf(nowMs), limit };
}
