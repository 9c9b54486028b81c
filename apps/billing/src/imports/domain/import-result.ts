import { formatCredits, type Credits } from '@capability-router/kernel';
import type { ImportRef } from '../../settlement/domain/import-ref.js';
import type { ModelCall } from './model-call.js';

/** The result of one row. */
export type ImportResult =
  | {
      readonly status: 'imported';
      readonly importRef: ImportRef;
      readonly usageEventId: string;
      readonly ledgerEntryId?: string;
    }
  | { readonly status: 'duplicate'; readonly importRef: ImportRef }
  /** Nothing was written of it. */
  | { readonly status: 'conflict' | 'rejected'; readonly code: string; readonly message: string };

export const refused = (code: string, message: string): ImportResult => ({ status: 'rejected', code, message });

/** The result of a call whose id was imported before: the same contents are the same call. */
export function resultOfRepeat(
  call: ModelCall,
  before: { readonly importRef: ImportRef; readonly inputHash: string },
): ImportResult {
  if (before.inputHash === call.inputHash) return { status: 'duplicate', importRef: before.importRef };
  const message = 'import_id was used for another call of this account. Give each call an id of its own.';
  return { status: 'conflict', code: 'import_id_in_use', message };
}

/** The account of a call, as far as it decides about the import. */
export interface ImportingAccount {
  readonly known: boolean;
  readonly erased: boolean;
  /** The account of the API key that the call names, where it names one that is known. */
  readonly ownerOfKey: string | undefined;
  /** Asked of a known account alone. */
  readonly available: () => Credits;
}

/** Why a call is not imported; undefined: it is. */
export function refusalOf(
  { accountId, apiKeyId, amount }: ModelCall,
  account: ImportingAccount,
): ImportResult | undefined {
  if (!account.known) return refused('unknown_account', 'There is no such account.');
  if (account.erased) return refused('account_erased', 'The account was erased.');
  if (apiKeyId !== undefined && account.ownerOfKey !== accountId) {
    return refused('unknown_api_key', 'The account has no such API key.');
  }
  const available = account.available();
  if (amount <= available) return undefined;
  const message = `The call costs ${formatCredits(amount)} credits, ${formatCredits(available)} are available. Grant credits and send the row again.`;
  return refused('insufficient_credits', message);
}
