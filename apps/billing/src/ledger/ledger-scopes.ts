import type { LedgerEntryType } from '@capability-router/contracts';

/** `account_history` is the specification's; `all` leaves nothing out, as every reconciliation must. */
export const ledgerScopes = ['account_history', 'all'] as const;
export type LedgerScope = (typeof ledgerScopes)[number];

const accountHistory: readonly LedgerEntryType[] = [
  'grant_payment_recharge',
  'consume_tool_search',
  'consume_tool_execute',
  'consume_model_call',
];

/** Undefined: every type. */
export const entryTypesOf = (scope: LedgerScope | undefined): readonly LedgerEntryType[] | undefined =>
  scope === 'account_history' ? accountHistory : undefined;
