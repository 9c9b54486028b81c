import { FAILED_SEARCH_ID } from '@capability-router/contracts';

/** 402 in search shape. The id marks a search that never ran, and what is left does not pay for one: 0. */
export function unaffordableSearch(query: string, message: string) {
  return {
    status: 'failure',
    status_code: 402,
    message,
    query,
    search_id: FAILED_SEARCH_ID,
    total: 0,
    results: [],
    remaining_credits: 0,
    error_message: message,
  } as const;
}

export type UnaffordableSearch = ReturnType<typeof unaffordableSearch>;
