import { DEFAULT_SAMPLES } from './summary-window.js';

export const MAX_LIMIT = 50;

export interface Page {
  readonly offset: number;
  readonly rows: number;
  readonly page: number;
}

/** `limit` overrides `page_size` and is clamped to 50; `page_size` is honoured as it was validated. */
export function pageOf(query: { page: number; page_size: number; limit?: number }): Page {
  const { page } = query;
  const rows = query.limit === undefined ? query.page_size : Math.min(query.limit, MAX_LIMIT);
  return { page, rows, offset: (page - 1) * rows };
}

/** How many rows a summary shows as its largest. */
export const samplesOf = (query: { limit?: number }): number => Math.min(query.limit ?? DEFAULT_SAMPLES, MAX_LIMIT);

/** The list wrapper of usage history and ledger. */
export function listWrapper<T>(
  items: readonly T[],
  total: number,
  page: Page,
  summary: Record<string, unknown> | null = null,
): Record<string, unknown> {
  return { items, total, page: page.page, page_size: items.length, summary };
}
