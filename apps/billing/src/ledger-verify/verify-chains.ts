import type pg from 'pg';
import type { AccountHead } from '../ledger-roots/ledger-root.js';
import { ChainWalker, type WalkedRow } from './chain-walker.js';
import type { Finding } from './findings.js';

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

/** By the unique key (account, place); the id makes the order total even where somebody has dropped that key. */
const pageSql = `
SELECT * FROM ledger_entries
 WHERE (account_id, entry_seq, entry_id) > ($1, $2::bigint, $3) AND ($4::text IS NULL OR account_id = $4)
 ORDER BY account_id, entry_seq, entry_id LIMIT $5`;

/** Reads every row once and recomputes every chain from its beginning. */
export async function verifyChains(
  pool: pg.Pool,
  range: AccountRange,
  visitor: ChainVisitor,
): Promise<{ accounts: number; entries: number }> {
  const walker = new ChainWalker(visitor.onFinding, visitor.cut);
  // Everything of the account itself comes after it, a place below 1 too.
  let after: readonly [string, string, string] = [range.only ?? range.from ?? '', LEAST_BIGINT, ''];
  for (;;) {
    const { rows } = await pool.query<WalkedRow>(pageSql, [...after, range.only ?? null, PAGE_ROWS]);
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

async function withoutHead(pool: pg.Pool, accounts: readonly string[]): Promise<string[]> {
  if (accounts.length === 0) return [];
  const { rows } = await pool.query<{ account_id: string }>(
    `SELECT a.account_id FROM unnest($1::text[]) AS a (account_id)
      WHERE NOT EXISTS (SELECT FROM ledger_heads h WHERE h.account_id = a.account_id)`,
    [accounts],
  );
  return rows.map((row) => row.account_id);
}
