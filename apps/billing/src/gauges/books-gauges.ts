import { ACCOUNTS_CHECK, type AccountsState } from '../background-checks/check-accounts.js';
import { accountInvariants } from '../background-checks/check-accounts.sql.js';
import { CONSERVATION_CHECK, type ConservationState } from '../background-checks/check-conservation.js';
import type { CheckState } from '../background-checks/background-checks.sql.js';
import type { MakeGauge } from './make-gauge.js';

const MS_PER_SECOND = 1_000;
const MICRO_PER_CREDIT = 1_000_000;

/** Gauges of what the background checks found last. */
export function booksGauges(gauge: MakeGauge): { show(checks: ReadonlyMap<string, CheckState>, nowMs: number): void } {
  const entries = gauge('ledger_entries_sum_credits', 'The sum of all ledger entries at the last comparison.');
  const balances = gauge('balances_sum_credits', 'The sum of all balances at the last comparison.');
  const conservation = gauge(
    'conservation_difference_credits',
    'Sum of all ledger entries less what stands against it: balances, or what lots have left. Anything but 0 is an alarm.',
    'against',
  );
  const held = gauge('held_difference_credits', 'What balances say is held less the sum of open holds; 0 is sound.');
  const openHolds = gauge('held_credits', 'What open holds held at the last comparison.');
  const violations = gauge(
    'invariant_violations',
    'Accounts that break an invariant, in the pass over all accounts under way or the last one, whichever found more.',
    'invariant',
  );
  const checked = gauge('invariant_checked_accounts', 'Accounts that the last pass over all accounts looked at.');
  const age = gauge('check_age_seconds', 'For how long a background check has not come to its end.', 'check');

  const showConservation = ({ compared, comparedAt }: ConservationState, nowMs: number): void => {
    if (compared === null || comparedAt === null) return;
    entries.set(credits(compared.entries));
    balances.set(credits(compared.balances));
    conservation.set({ against: 'balances' }, difference(compared.entries, compared.balances));
    conservation.set({ against: 'lots' }, difference(compared.entries, compared.lots));
    openHolds.set(credits(compared.openHolds));
    held.set(difference(compared.held, compared.openHolds));
    age.set({ check: CONSERVATION_CHECK }, secondsSince(comparedAt, nowMs));
  };
  const showAccounts = (state: AccountsState, nowMs: number): void => {
    for (const invariant of accountInvariants) {
      violations.set({ invariant }, Math.max(state.broken[invariant] ?? 0, state.lastBroken[invariant] ?? 0));
    }
    checked.set(state.lastChecked);
    if (state.lastPassAt !== null) age.set({ check: ACCOUNTS_CHECK }, secondsSince(state.lastPassAt, nowMs));
  };
  return {
    show(checks, nowMs) {
      const conserved = checks.get(CONSERVATION_CHECK)?.state as unknown as ConservationState | undefined;
      if (conserved !== undefined) showConservation(conserved, nowMs);
      const accounts = checks.get(ACCOUNTS_CHECK)?.state as unknown as AccountsState | undefined;
      if (accounts !== undefined) showAccounts(accounts, nowMs);
    },
  };
}

const secondsSince = (iso: string, nowMs: number): number => Math.max(0, nowMs - Date.parse(iso)) / MS_PER_SECOND;
/** The difference is taken before it is made a number, which may not be exact. */
const credits = (micro: bigint | string): number => Number(BigInt(micro)) / MICRO_PER_CREDIT;
const difference = (a: string, b: string): number => credits(BigInt(a) - BigInt(b));
