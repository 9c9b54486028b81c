import type { LedgerEntryType } from '@capability-router/contracts';
import { entryTypesWhere } from './domain/entry-types.js';

/** `account_history` is the specification's; `all` leaves nothing out, as every reconciliation must. */
export const ledgerScopes = ['account_history', 'all'] as const;
export type LedgerScope = (typeof ledgerScopes)[number];

const accountHistory = entryTypesWhere(({ scope }) => scope === 'account_history');

/** Undefined: every type. */
export const entryTypesOf = (scope: LedgerScope | undefined): readonly LedgerEntryType[] | undefined =>
  scope === 'account_history' ? accountHistory : undefined;
