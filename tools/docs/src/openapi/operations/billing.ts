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
  },
  'GET /auth/usage/history/v2/summary': {
    id: 'feedUsage',
    tag: 'Billing',
    summary: 'The usage audit as a feed by cursor.',
    answer: 'UsageFeedAnswer',
    query: UsageFeedQuery,
  },
  'GET /auth/usage/history/v2/export': {
    id: 'exportUsage',
    tag: 'Billing',
    summary: 'The usage audit as a file.',
    answer: exported,
    query: UsageExportQuery,
  },
  'GET /auth/usage/history/v2/{eventId}': {
    id: 'getUsageEvent',
    tag: 'Billing',
    summary: 'One event of the usage audit.',
    answer: 'UsageEventAnswer',
  },
  'GET /auth/usage/credits-spent': {
    id: 'getCreditsSpent',
    tag: 'Billing',
    summary: 'Credits that were spent in a time.',
    answer: 'CreditsSpentAnswer',
    query: CreditsSpentQuery,
  },
  'GET /auth/credits/ledger': {
    id: 'listLedger',
    tag: 'Billing',
    summary: 'The entries of the ledger by pages, or their summary.',
    answer: 'LedgerListAnswer',
    query: LedgerQuery,
  },
  'GET /auth/credits/ledger/export': {
    id: 'exportLedger',
    tag: 'Billing',
    summary: 'The ledger as a file.',
    answer: exported,
    query: LedgerExportQuery,
  },
  'GET /auth/credits/ledger/{entryId}': {
    id: 'getLedgerEntry',
    tag: 'Billing',
    summary: 'One entry of the ledger.',
    answer: 'LedgerEntryAnswer',
  },
  'GET /auth/credits/ledger-readiness': {
    id: 'getLedgerReadiness',
    tag: 'Billing',
    summary: 'Whether audit and ledger of a time agree and are complete.',
    answer: 'ReadinessAnswer',
    query: LedgerDatesQuery,
  },
  'GET /auth/account/settlement-history': {
    id: 'listSettlements',
    tag: 'Billing',
    summary: 'Calls with their audit and their entries side by side, as a feed by cursor.',
    answer: 'SettlementHistoryAnswer',
    query: SettlementHistoryQuery,
  },
};
