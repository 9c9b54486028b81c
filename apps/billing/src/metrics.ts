import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { ACCOUNTS_CHECK, type AccountsState } from './background-checks/check-accounts.js';
import { accountInvariants } from './background-checks/check-accounts.sql.js';
import { CONSERVATION_CHECK, type ConservationState } from './background-checks/check-conservation.js';
import { readQueues, type Queues } from './background-checks/read-queues.sql.js';
import { readChecks, type CheckState } from './background-checks/background-checks.sql.js';
import { queuedKinds } from './exceptions/exception-kinds.js';
import type { SweepReport } from './holds/hold-sweeper.js';
import { readProjectionVersions, type ProjectionVersion } from './usage-audit/projection-versions.js';

const MS_PER_SECOND = 1_000;
const MICRO_PER_CREDIT = 1_000_000;

export interface BillingMetrics {
  swept(report: SweepReport): void;
  /** Milliseconds from the end of a call to its settlement. */
  settled(lagMs: number): void;
  /** Reads what the gauges show; a scrape reads nothing. Rejects where the database does not answer. */
  refresh(): Promise<void>;
}

/** Gauges of billing, as of the last refresh. Every replica shows the same of what the database holds. */
export function registerBillingMetrics(registry: Registry, pool: pg.Pool, clock: Clock): BillingMetrics {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `billing_${name}`, help, labelNames, registers: [registry] });
  const openHolds = gauge('open_holds', 'Holds that have not ended, counted up to 100,000.');
  const oldestHold = gauge('open_hold_oldest_seconds', 'Age of the oldest open hold; 0: there is none.');
  const openExceptions = gauge(
    'open_exceptions',
    'Exceptions that wait for a decision, counted up to 100,000.',
    'kind',
  );
  const oldestException = gauge('open_exception_oldest_seconds', 'Age of the oldest open exception; 0: there is none.');
  const parkedKeys = gauge('parked_keys', 'Accounts whose events wait behind one that could not be handled.', 'group');
  const parkedEvents = gauge('parked_events', 'Events that wait, of all such accounts.', 'group');
  const lag = gauge(
    'settlement_lag_seconds',
    'The longest time from the end of a call to its settlement by this replica, of the last interval; 0: nothing was settled.',
  );
  const refreshed = gauge('gauges_refreshed_timestamp_seconds', 'When the gauges were read last, in Unix time.');
  const books = booksGauges(gauge);
  const codeVersion = gauge(
    'projection_code_version',
    'Version of a projection that this replica writes.',
    'projection',
  );
  const liveVersion = gauge(
    'projection_live_version',
    'Version at which the rows of a projection were built last. Below the code version, it waits for a rebuild.',
    'projection',
  );
  const released = new Counter({
    name: 'billing_holds_swept_total',
    help: 'Holds of dead executions that were released.',
    registers: [registry],
  });
  const awaiting = gauge(
    'holds_awaiting_settlement',
    'Holds in the last sweep whose execution has completed but whose event has not arrived.',
  );
  let longestLagMs = 0;

  const showQueues = (queues: Queues): void => {
    openHolds.set(queues.openHolds);
    oldestHold.set(queues.oldestHoldSeconds);
    for (const kind of queuedKinds) openExceptions.set({ kind }, queues.exceptions.get(kind) ?? 0);
    oldestException.set(queues.oldestExceptionSeconds);
    parkedKeys.reset();
    parkedEvents.reset();
    for (const { group, keys, events } of queues.parked) {
      parkedKeys.set({ group }, keys);
      parkedEvents.set({ group }, events);
    }
  };

  const showVersions = (versions: readonly ProjectionVersion[]): void => {
    for (const { projection, code, live } of versions) {
      codeVersion.set({ projection }, code);
      liveVersion.set({ projection }, live);
    }
  };

  return {
    swept(report) {
      released.inc(report.released);
      awaiting.set(report.awaitingSettlement);
    },
    settled(lagMs) {
      longestLagMs = Math.max(longestLagMs, lagMs);
    },
    async refresh() {
      showQueues(await readQueues(pool, new Date(clock.nowMs())));
      books.show(await readChecks(pool), clock.nowMs());
      showVersions(await readProjectionVersions(pool));
      lag.set(longestLagMs / MS_PER_SECOND);
      longestLagMs = 0;
      refreshed.set(clock.nowMs() / MS_PER_SECOND);
    },
  };
}

type MakeGauge = <Label extends string = never>(name: string, help: string, ...labels: Label[]) => Gauge<Label>;

/** What the background checks found last. */
function booksGauges(gauge: MakeGauge): { show(checks: ReadonlyMap<string, CheckState>, nowMs: number): void } {
  const entries = gauge('ledger_entries_sum_credits', 'The sum of all ledger entries at the last comparison.');
  const balances = gauge('balances_sum_credits', 'The sum of all balances at the last comparison.');
  const conservation = gauge(
    'conservation_difference_credits',
    'Sum of all ledger entries less what stands against it: balances, or what lots have left. Anything but 0 is an alarm.',
    'against',
  );
  const held = gauge('held_difference_credits', 'What balances say is held less the sum of open holds; 0 is sound.');
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
