import { FAILED_SEARCH_ID } from '@capability-router/contracts';
import type { UnpaidSearch } from './search-charge.js';

/**
 * 402 in search shape. The id marks a search that never ran. Where the account is too short, what is left does not pay
 * for one: 0. `details` says what is too short, the account or which budget, as those of a Call do.
 */
export function unaffordableSearch(query: string, { status, message, remaining, details }: UnpaidSearch) {
  return {
    status: 'failure',
    status_code: 402,
    message,
    query,
    search_id: FAILED_SEARCH_ID,
    total: 0,
    results: [],
    remaining_credits: remaining ?? 0,
    error_message: message,
    code: status,
    details,
  } as const;
}

export type UnaffordableSearch = ReturnType<typeof unaffordableSearch>;
