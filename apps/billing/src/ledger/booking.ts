import {
  creditsFromMicro,
  newLedgerEntryId,
  toIso,
  type AccountId,
  type Credits,
  type LedgerEntryId,
} from '@capability-router/kernel';
import type pg from 'pg';
import { applyBalanceDeltas, type BalanceDelta } from './balances.sql.js';
import { chainEntry, type LedgerEntry, type LedgerHead, type PendingEntry } from './entry.js';
import { lockHeads, saveHeads } from './heads.js';
import { insertEntries } from './insert-entries.js';
import { burnLots, unwindBurns, type Lot, type LotBurn, type LotRestore } from './lots.js';
import { loadLots, loadUnwindable, writeBurns, writeRestores } from './lots.sql.js';

/** What is booked, before the booking gives it an id and its sign. */
export type Movement = Omit<PendingEntry, 'entryId' | 'amount'>;

/**
 * Entries of one transaction that are not settlement's: refunds, corrections, expiry, imports. Locks are taken as
 * settlement takes them. Holds go on meanwhile, so `available` may be less by the time of `write`, which then fails on
 * the constraint `available_never_negative` (`isOvertaken`): the caller rolls back and tries again.
 */
export class Booking {
  private readonly entries: LedgerEntry[] = [];
  private readonly burns: LotBurn[] = [];
  private readonly restores: LotRestore[] = [];
  private readonly deltas = new Map<AccountId, BalanceDelta>();

  private constructor(
    private readonly tx: pg.PoolClient,
    private readonly heads: Map<AccountId, LedgerHead>,
    private readonly lots: Map<AccountId, readonly Lot[]>,
    private readonly availables: Map<AccountId, Credits>,
    readonly nowMs: number,
  ) {}

  /** In a transaction only. `known` tells of each account whether billing has heard of it. */
  static async open(tx: pg.PoolClient, accounts: Iterable<AccountId>, nowMs: number): Promise<Booking> {
    const ids = [...new Set(accounts)];
    const availables = await readAvailable(tx, ids);
    const known = ids.filter((id) => availables.has(id));
    const heads = await lockHeads(tx, known);
    const lots = await loadLots(tx, known);
    // Once more: what was read before the lock may be older than what it waited for.
    return new Booking(tx, heads, lots, await readAvailable(tx, known), nowMs);
  }

  known(accountId: AccountId): boolean {
    return this.availables.has(accountId);
  }

  /** Balance less open holds, as this transaction would leave it. */
  available(accountId: AccountId): Credits {
    const moved = this.deltas.get(accountId)?.balance ?? 0n;
    return creditsFromMicro((this.availables.get(accountId) ?? 0n) + moved);
  }

  /** In burn order, as this transaction would leave them; only those of which something is left. */
  lotsOf(accountId: AccountId): readonly Lot[] {
    return this.lots.get(accountId) ?? [];
  }

  head(accountId: AccountId): LedgerHead {
    const head = this.heads.get(accountId);
    if (head === undefined) throw new Error(`the head of ${accountId} is not locked`);
    return head;
  }

  /** Takes `amount` (> 0) from one lot, or from all in burn order. Throws where they do not hold as much. */
  burn(accountId: AccountId, movement: Movement, amount: Credits, lotId?: string): LedgerEntry {
    const entry = this.book(accountId, movement, -amount as Credits);
    const lots = this.lotsOf(accountId);
    const chosen = lotId === undefined ? lots : lots.filter((lot) => lot.lotId === lotId);
    const burned = burnLots(chosen, amount, entry.entryId);
    const after = new Map(burned.lots.map((lot) => [lot.lotId, lot]));
    this.lots.set(
      accountId,
      lots.map((lot) => after.get(lot.lotId) ?? lot),
    );
    this.burns.push(...burned.burns);
    return entry;
  }

  /**
   * Gives `amount` (> 0) of what `unwoundEntryId` burned back into the lots it came from, last burned first. At most
   * once per unwound entry and booking. Throws where less is left to give back.
   */
  async unwind(
    accountId: AccountId,
    movement: Movement,
    amount: Credits,
    unwoundEntryId: string,
  ): Promise<{ readonly entry: LedgerEntry; readonly restores: readonly LotRestore[] }> {
    const burns = await loadUnwindable(this.tx, unwoundEntryId);
    const entry = this.book(accountId, movement, amount);
    const restores = unwindBurns(burns, amount, { ledgerEntryId: entry.entryId, unwoundEntryId });
    this.restores.push(...restores);
    return { entry, restores };
  }

  /** What of an entry's burns has not been given back yet. */
  async unwindable(entryId: string): Promise<Credits> {
    const burns = await loadUnwindable(this.tx, entryId);
    return creditsFromMicro(burns.reduce((sum, burn) => sum + burn.amount, 0n));
  }

  /** Ends in the statement that touches the balances; nothing may follow it but the commit. */
  async write(): Promise<void> {
    await insertEntries(this.tx, this.entries);
    await writeBurns(this.tx, this.burns);
    await writeRestores(this.tx, this.restores);
    await saveHeads(
      this.tx,
      [...this.deltas.keys()].map((accountId) => this.head(accountId)),
    );
    await applyBalanceDeltas(this.tx, this.deltas, { create: false });
  }

  /** For what the caller writes beside the entries: the next settlement of the account. */
  nextSettlement(accountId: AccountId): bigint {
    const head = this.head(accountId);
    const settlementSeq = head.settlementSeq + 1n;
    this.heads.set(accountId, { ...head, settlementSeq });
    this.addDelta(accountId, 0n);
    return settlementSeq;
  }

  private book(accountId: AccountId, movement: Movement, amount: Credits): LedgerEntry {
    const entryId: LedgerEntryId = newLedgerEntryId(this.nowMs);
    const { entry, head } = chainEntry(this.head(accountId), { ...movement, entryId, amount }, toIso(this.nowMs));
    this.heads.set(accountId, head);
    this.entries.push(entry);
    this.addDelta(accountId, amount);
    return entry;
  }

  private addDelta(accountId: AccountId, balance: bigint): void {
    const before = this.deltas.get(accountId)?.balance ?? 0n;
    this.deltas.set(accountId, { balance: before + balance, held: 0n });
  }
}

async function readAvailable(tx: pg.PoolClient, accounts: readonly AccountId[]): Promise<Map<AccountId, Credits>> {
  const { rows } = await tx.query<{ account_id: AccountId; available: string }>(
    'SELECT account_id, (balance_micro - held_micro)::text AS available FROM account_balances WHERE account_id = ANY($1)',
    [accounts],
  );
  return new Map(rows.map((row) => [row.account_id, creditsFromMicro(BigInt(row.available))]));
}

/** A hold took credits that a booking had counted on. Nothing was written; a new try sees the hold. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && (error as { constraint?: unknown }).constraint === 'available_never_negative';
