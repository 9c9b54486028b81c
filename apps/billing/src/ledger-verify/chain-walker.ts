import { hashEntry } from '../ledger/domain/entry.js';
import { ledgerEntryFromRow, type LedgerEntryRow } from '../ledger/ledger-row.js';
import { NO_HASH, type AccountHead } from '../ledger-roots/ledger-root.js';
import type { Finding } from './findings.js';

export type WalkedRow = LedgerEntryRow & { readonly tx_order: string; readonly position: string };

/** Where the chain of the account stands. */
interface Link {
  readonly accountId: string;
  readonly entrySeq: bigint;
  readonly balance: bigint;
  readonly hash: string;
  /** The first broken row was named; what follows it says nothing more. */
  readonly broken: boolean;
}

/**
 * Recomputes chains from genesis. It is given every row of the ledger in the order of account and place, keeps one link,
 * and names the first broken row of each account.
 */
export class ChainWalker {
  private link: Link | undefined;
  /** The last row before the cut of the account in hand. */
  private atCut: AccountHead | undefined;
  accounts = 0;
  entries = 0;

  constructor(
    private readonly onFinding: (finding: Finding) => void,
    /** Where given, `onHead` gets the head at that cut of each account that has one. */
    private readonly cut?: { readonly cut: bigint; readonly onHead: (head: AccountHead) => void },
  ) {}

  /** True: the row is the first of its account. */
  next(row: WalkedRow): boolean {
    const first = this.link?.accountId !== row.account_id;
    if (first) {
      this.endAccount();
      this.accounts += 1;
    }
    this.entries += 1;
    const before: Link =
      first || this.link === undefined
        ? { accountId: row.account_id, entrySeq: 0n, balance: 0n, hash: NO_HASH, broken: false }
        : this.link;
    const fault = before.broken ? undefined : faultOf(before, row);
    if (fault !== undefined) {
      this.onFinding({ ...fault, accountId: row.account_id, entryId: row.entry_id });
    }
    this.link = {
      accountId: row.account_id,
      entrySeq: BigInt(row.entry_seq),
      balance: BigInt(row.balance_after_micro),
      hash: row.hash,
      broken: before.broken || fault !== undefined,
    };
    if (this.cut !== undefined && BigInt(row.tx_order) < this.cut.cut) {
      this.atCut = {
        accountId: row.account_id,
        entrySeq: BigInt(row.entry_seq),
        balance: BigInt(row.balance_after_micro),
        hash: row.hash,
      };
    }
    return first;
  }

  /** After the last row. */
  endAccount(): void {
    if (this.atCut !== undefined) this.cut?.onHead(this.atCut);
    this.atCut = undefined;
    this.link = undefined;
  }
}

type Fault = Pick<Finding, 'kind' | 'sequence' | 'detail'>;

/** The order tells what happened: a row that was moved or exchanged has a wrong hash too, a row that was edited has not moved. */
function faultOf(before: Link, row: WalkedRow): Fault | undefined {
  const sequence = BigInt(row.entry_seq);
  const expected = before.entrySeq + 1n;
  if (sequence > expected) {
    const gap = sequence - 1n === expected ? `entry ${expected} is` : `entries ${expected} to ${sequence - 1n} are`;
    return { kind: 'missing', sequence: `${expected}`, detail: `${gap} missing before ${row.entry_id}` };
  }
  if (sequence < expected) {
    const detail = `${row.entry_id} claims place ${sequence}, which another entry has`;
    return { kind: 'inserted', sequence: `${sequence}`, detail };
  }
  const at = `${sequence}`;
  if (row.previous_hash !== before.hash) {
    const last = before.entrySeq === 0n ? 'the beginning of the chain' : `entry ${before.entrySeq}`;
    const detail = `${row.entry_id} does not follow ${last}: previous_hash is ${row.previous_hash}, the hash before it is ${before.hash}`;
    return { kind: 'out_of_place', sequence: at, detail };
  }
  const hash = recompute(row);
  if (hash !== row.hash) {
    const detail = `${row.entry_id} was changed: its hash is ${row.hash}, its content hashes to ${hash}`;
    return { kind: 'changed', sequence: at, detail };
  }
  if (BigInt(row.balance_before_micro) !== before.balance) {
    const detail = `${row.entry_id} begins with a balance of ${row.balance_before_micro}, the entry before it ended with ${before.balance} micro-credits`;
    return { kind: 'changed', sequence: at, detail };
  }
  if (BigInt(row.balance_before_micro) + BigInt(row.amount_micro) !== BigInt(row.balance_after_micro)) {
    return { kind: 'changed', sequence: at, detail: `the amounts of ${row.entry_id} do not add up` };
  }
  return undefined;
}

function recompute(row: WalkedRow): string {
  try {
    return hashEntry(ledgerEntryFromRow(row));
  } catch (error) {
    // Nothing that this service writes: an amount beyond all bounds, say.
    return `nothing (${error instanceof Error ? error.message : String(error)})`;
  }
}
