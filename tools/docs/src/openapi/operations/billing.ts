/** Balance, usage audit and ledger. */
import {
  CreditsSpentQuery,
  LedgerDatesQuery,
  LedgerExportQuery,
  LedgerQuery,
  SettlementHistoryQuery,
  UsageExportQuery,
  UsageFeedQuery,
  UsageHistoryQuery,
} from '@capability-router/billing/requests';
import type { Operations } from './operation.js';

const exported = { types: ['text/csv'] } as const;
/** A date, a bucket or a range of amounts that is none, as the specification has it. */
const INVALID_QUERY = [400];

export const billing: Operations = {
  'GET /auth/credits': {
    id: 'getCredits',
    tag: 'Billing',
    summary: 'The balance of the account.',
    answer: 'CreditsAnswer',
  },
  'GET /credits': {
    id: 'getCreditsShort',
    tag: 'Billing',
    summary: 'The same as `GET /auth/credits`.',
    answer: 'CreditsAnswer',
  },
  'GET /auth/usage/history/v2': {
    id: 'listUsage',
    tag: 'Billing',
    summary: 'The usage audit by pages, or its summary.',
    answer: 'UsageListAnswer',
    query: UsageHistoryQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/usage/history/v2/summary': {
    id: 'feedUsage',
    tag: 'Billing',
    summary: 'The usage audit as a feed by cursor.',
    answer: 'UsageFeedAnswer',
    query: UsageFeedQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/usage/history/v2/export': {
    id: 'exportUsage',
    tag: 'Billing',
    summary: 'The usage audit as a file.',
    answer: exported,
    query: UsageExportQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/usage/history/v2/{eventId}': {
    id: 'getUsageEvent',
    tag: 'Billing',
    summary: 'One event of the usage audit.',
    answer: 'UsageEventAnswer',
    statuses: [422],
  },
  'GET /auth/usage/credits-spent': {
    id: 'getCreditsSpent',
    tag: 'Billing',
    summary: 'Credits that were spent in a time.',
    answer: 'CreditsSpentAnswer',
    query: CreditsSpentQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/credits/ledger': {
    id: 'listLedger',
    tag: 'Billing',
    summary: 'The entries of the ledger by pages, or their summary.',
    answer: 'LedgerListAnswer',
    query: LedgerQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/credits/ledger/export': {
    id: 'exportLedger',
    tag: 'Billing',
    summary: 'The ledger as a file.',
    answer: exported,
    query: LedgerExportQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/credits/ledger/{entryId}': {
    id: 'getLedgerEntry',
    tag: 'Billing',
    summary: 'One entry of the ledger.',
    answer: 'LedgerEntryAnswer',
    statuses: [422],
  },
  'GET /auth/credits/ledger-readiness': {
    id: 'getLedgerReadiness',
    tag: 'Billing',
    summary: 'Whether audit and ledger of a time agree and are complete.',
    answer: 'ReadinessAnswer',
    query: LedgerDatesQuery,
    statuses: INVALID_QUERY,
  },
  'GET /auth/account/settlement-history': {
    id: 'listSettlements',
    tag: 'Billing',
    summary: 'Calls with their audit and their entries side by side, as a feed by cursor.',
    answer: 'SettlementHistoryAnswer',
    query: SettlementHistoryQuery,
    statuses: INVALID_QUERY,
  },
};
