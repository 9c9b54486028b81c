import * as units from '@grafana/grafana-foundation-sdk/units';
import { OF_RELEASE, type DashboardPlan } from './dashboard.js';

/** All replicas say the same of the database. */
const ofBooks = (gauge: string, by = ''): string =>
  by === '' ? `max(${gauge}{${OF_RELEASE}})` : `max by (${by}) (${gauge}{${OF_RELEASE}})`;

export const money: DashboardPlan = {
  uid: 'capability-router-money',
  title: 'money',
  description:
    'Whether the books agree, and whether what was called is settled. docs/metrics.md says what each gauge means.',
  rows: {
    'Red is wrong': [
      {
        title: 'Difference of the books',
        description:
          'All ledger entries less all balances, or what lots have left. It is 0; page somebody where it is not.',
        unit: units.Short,
        queries: {
          '{{against}}': `max by (against) (abs(billing_conservation_difference_credits{${OF_RELEASE}}))`,
        },
        redFrom: 0.000_001,
      },
      {
        title: 'Difference of held credits',
        description: 'What balances say is held less the sum of open holds. It is 0.',
        unit: units.Short,
        queries: { difference: `max(abs(billing_held_difference_credits{${OF_RELEASE}}))` },
        redFrom: 0.000_001,
      },
      {
        title: 'Accounts that break an invariant',
        description: 'The log of billing names them.',
        unit: units.Short,
        queries: { '{{invariant}}': ofBooks('billing_invariant_violations', 'invariant') },
        redFrom: 1,
      },
      {
        title: 'Parked accounts',
        description: 'Their events wait behind one that cannot be handled: caprouter parked list.',
        unit: units.Short,
        queries: { '{{group}}': ofBooks('billing_parked_keys', 'group') },
        redFrom: 1,
      },
      {
        title: 'Exceptions that wait',
        description: 'The review queue; docs/guides/exceptions.md says what to do about each.',
        unit: units.Short,
        queries: { '{{kind}}': ofBooks('billing_open_exceptions', 'kind') },
        redFrom: 100,
      },
      {
        title: 'Books compared before',
        description: 'Time since the books were compared last.',
        unit: units.Seconds,
        queries: { '{{check}}': ofBooks('billing_check_age_seconds', 'check') },
        redFrom: 600,
      },
    ],
    Holds: [
      {
        title: 'Open holds',
        description: 'Calls under way, and those whose end is on its way to settlement.',
        unit: units.Short,
        queries: {
          open: ofBooks('billing_open_holds'),
          'awaiting settlement': ofBooks('billing_holds_awaiting_settlement'),
        },
      },
      {
        title: 'Oldest open hold',
        description: 'Above the longest call, accounts keep less to spend than they have.',
        unit: units.Seconds,
        queries: { oldest: ofBooks('billing_open_hold_oldest_seconds') },
      },
      {
        title: 'Settlement lag',
        description: 'The longest time from the end of a call to its settlement.',
        unit: units.Seconds,
        queries: { lag: ofBooks('billing_settlement_lag_seconds') },
      },
    ],
    Credits: [
      {
        title: 'All accounts together',
        description: 'The sum of all ledger entries and of all balances: one line over the other.',
        unit: units.Short,
        queries: {
          'ledger entries': ofBooks('billing_ledger_entries_sum_credits'),
          balances: ofBooks('billing_balances_sum_credits'),
        },
      },
      {
        title: 'Held',
        description: 'Credits that open holds hold.',
        unit: units.Short,
        queries: { held: ofBooks('billing_held_credits') },
      },
      {
        title: 'Forgone by hedges',
        description:
          'Credits that attempts which were given up would have cost at most; the deployment owes their providers.',
        unit: units.Short,
        queries: { 'credits a second': `sum(rate(plan_hedge_forgone_credits_total{${OF_RELEASE}}[$__rate_interval]))` },
      },
    ],
    'Read models': [
      {
        title: 'Versions of projections',
        description: 'A live version below that of the code waits for a rebuild: docs/guides/long-histories.md.',
        unit: units.Short,
        queries: {
          'code: {{projection}}': ofBooks('billing_projection_code_version', 'projection'),
          'live: {{projection}}': ofBooks('billing_projection_live_version', 'projection'),
        },
      },
      {
        title: 'Oldest exception',
        description: 'For how long it has waited for a decision.',
        unit: units.Seconds,
        queries: { oldest: ofBooks('billing_open_exception_oldest_seconds') },
      },
      {
        title: 'Accounts looked at',
        description: 'By the last whole pass over all accounts.',
        unit: units.Short,
        queries: { accounts: ofBooks('billing_invariant_checked_accounts') },
      },
    ],
  },
};
