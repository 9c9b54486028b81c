import { createHash } from 'node:crypto';
import { canonicalJson, AppError, type JsonValue } from '@capability-router/kernel';

/** Characters; of ours none comes near it. */
export const MAX_CURSOR_CHARACTERS = 200;
const VERSION = '1';
const cursorPattern = /^1\.([1-9]\d{0,17})\.([0-9a-f]{32})$/;

/** The reads that a cursor is good for: one feed of one account under one set of filters. */
export interface CursorScope {
  readonly feed: string;
  readonly accountId: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/**
 * A place in a feed: the sequence number of the last row that was shown. Its digest finds what was cut, changed, or
 * carried over from another account, feed or set of filters. It needs no key: whoever computes one anew names another
 * place in what the account may read anyway, because every query is by account.
 */
export function encodeCursor(scope: CursorScope, sequence: string): string {
  return Buffer.from(`${VERSION}.${sequence}.${digestOf(scope, sequence)}`, 'latin1').toString('base64url');
}

/** The sequence number, as text for a `bigint` parameter. Throws a 422 for any text that `encodeCursor` did not give. */
export function decodeCursor(scope: CursorScope, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, sequence, digest] = cursorPattern.exec(text) ?? [];
  const exact = Buffer.from(text, 'latin1').toString('base64url') === cursor;
  if (!exact || sequence === undefined || digest !== digestOf(scope, sequence)) throw unusable();
  return sequence;
}

function digestOf({ feed, accountId, filters }: CursorScope, sequence: string): string {
  const sent = Object.entries(filters).filter(([, value]) => value !== undefined);
  const content = canonicalJson([VERSION, feed, accountId, Object.fromEntries(sent) as JsonValue, sequence]);
  return createHash('sha256').update(content, 'utf8').digest('hex').slice(0, 32);
}

function unusable(): AppError {
  const msg = 'not a next_cursor of this query. Send the same filters with it, or begin again without a cursor';
  return new AppError('validation_error', `"cursor" is ${msg}.`, {
    details: [{ type: 'value_error', loc: ['query', 'cursor'], msg }],
  });
}
