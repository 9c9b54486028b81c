import { createHash } from 'node:crypto';
import { canonicalJson } from '@capability-router/kernel';
import { MerkleTree } from './merkle-tree.js';

/** Before the first root, and before the first entry of an account. */
export const NO_HASH = '0'.repeat(64);

/** The last entry of one account before the cut. */
export interface AccountHead {
  readonly accountId: string;
  readonly entrySeq: bigint;
  /** In micro-credits, after that entry. */
  readonly balance: bigint;
  readonly hash: string;
}

/** The sum over the chains of all accounts. */
export interface LedgerState {
  readonly accounts: bigint;
  readonly entries: bigint;
  readonly balance: bigint;
  readonly merkleRoot: string;
}

export interface LedgerRoot extends LedgerState {
  /** Dense from 1. */
  readonly rootSeq: bigint;
  /** `YYYY-MM-DD`, UTC. */
  readonly ledgerDate: string;
  /** The first `tx_order` that is not covered. */
  readonly cut: bigint;
  readonly computedAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Takes the heads of all accounts, in the order of their ids, and says what they add up to. */
export class LedgerStateBuilder {
  private readonly tree = new MerkleTree();
  private entries = 0n;
  private balance = 0n;
  private lastAccount = '';

  /** @throws Error where the order of account ids is not that of their bytes: the tree could not be built again. */
  add(head: AccountHead): void {
    if (head.accountId <= this.lastAccount) {
      throw new Error(`account ${head.accountId} comes after ${this.lastAccount}: ids must be read in byte order`);
    }
    this.lastAccount = head.accountId;
    this.entries += head.entrySeq;
    this.balance += head.balance;
    this.tree.add(canonicalHead(head));
  }

  state(): LedgerState {
    return {
      accounts: BigInt(this.tree.size),
      entries: this.entries,
      balance: this.balance,
      merkleRoot: this.tree.root(),
    };
  }
}

/** Version 1 of a leaf. */
export function canonicalHead(head: AccountHead): string {
  return canonicalJson({
    version: 1,
    account_id: head.accountId,
    entry_seq: head.entrySeq.toString(),
    balance_micro: head.balance.toString(),
    hash: head.hash,
  });
}

/** SHA-256 over the canonical JSON of the root, version 1. */
export function hashRoot(root: Omit<LedgerRoot, 'hash'>): string {
  const canonical = canonicalJson({
    version: 1,
    root_seq: root.rootSeq.toString(),
    ledger_date: root.ledgerDate,
    cut: root.cut.toString(),
    accounts: root.accounts.toString(),
    entries: root.entries.toString(),
    balance_micro: root.balance.toString(),
    merkle_root: root.merkleRoot,
    previous_hash: root.previousHash,
    computed_at: root.computedAt,
  });
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}
