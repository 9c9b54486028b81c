import { encodeCursor, type CursorScope } from './cursor.js';

export const DEFAULT_FEED_PAGE_SIZE = 100;
export const MAX_FEED_PAGE_SIZE = 500;

/**
 * One page of a cursor feed. `rows` are read with one more than the page holds, which tells whether there is a next one;
 * `sequenceOf` is the place of a row in the order of the feed.
 */
export function feedPage<Row, Item>(
  rows: readonly Row[],
  pageSize: number,
  scope: CursorScope,
  read: { readonly sequenceOf: (row: Row) => string; readonly view: (row: Row) => Item },
): Record<string, unknown> {
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  const hasMore = rows.length > pageSize && last !== undefined;
  return {
    items: shown.map(read.view),
    has_more: hasMore,
    page_size: shown.length,
    ...(hasMore ? { next_cursor: encodeCursor(scope, read.sequenceOf(last)) } : {}),
  };
}
