import type pg from 'pg';
import type { AccountHead } from '../ledger-roots/ledger-root.js';
import { ChainWalker, type WalkedRow } from './chain-walker.js';
import type { Finding } from './findings.js';
import { readChains, withoutHead, type ChainPlace } from './verify-chains.sql.js';

/** Rows in one read; each read is a statement of its own, so nothing is held open between them. */
const PAGE_ROWS = 2_000;
const LEAST_BIGINT = '-9223372036854775808';

/** Which accounts are looked at. */
export interface AccountRange {
  /** This one and those behind it. */
  readonly from?: string | undefined;
  /** This one alone. */
  readonly only?: string | undefined;
}

export interface ChainVisitor {
  readonly onFinding: (finding: Finding) => void;
  /** Each page of rows, in the order of account and place. */
  readonly onRows?: (rows: readonly WalkedRow[]) => Promise<void>;
  /** Everything before this account is done. */
  readonly onProgress?: (progress: { readonly accountId: string; readonly entries: number }) => void;
  readonly cut?: { readonly cut: bigint; readonly onHead: (head: AccountHead) => void };
}

/** Reads every row once and recomputes every chain from its beginning. */
export async function verifyChains(
  pool: pg.Pool,
  range: AccountRange,
  visitor: ChainVisitor,
): Promise<{ accounts: number; entries: number }> {
  const walker = new ChainWalker(visitor.onFinding, visitor.cut);
  // Everything of the account itself comes after it, a place below 1 too.
  let after: ChainPlace = [range.only ?? range.from ?? '', LEAST_BIGINT, ''];
  for (;;) {
    const rows = await readChains(pool, after, range.only, PAGE_ROWS);
    const begun = rows.filter((row) => walker.next(row)).map((row) => row.account_id);
    for (const accountId of await withoutHead(pool, begun)) {
      const detail = 'the account has entries and no head';
      visitor.onFinding({ kind: 'head', accountId, sequence: null, entryId: null, detail });
    }
    await visitor.onRows?.(rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) break;
    after = [last.account_id, last.entry_seq, last.entry_id];
    visitor.onProgress?.({ accountId: last.account_id, entries: walker.entries });
  }
  walker.endAccount();
  return { accounts: walker.accounts, entries: walker.entries };
}
