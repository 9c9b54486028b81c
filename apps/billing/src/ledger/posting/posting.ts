import {
  creditsFromMicro,
  newLedgerEntryId,
  toIso,
  type AccountId,
  type Clock,
  type Credits,
} from '@capability-router/kernel';
import type pg from 'pg';
import { chainEntry, type LedgerEntry, type LedgerHead, type Movement } from '../domain/entry.js';
import { traitsOf, type PostedBy } from '../domain/entry-types.js';
import { lapseMovement } from '../domain/lapse-movement.js';
import { burnLots, lapsedLots, unwindBurns, type Lot, type LotBurn, type LotRestore } from '../domain/lots.js';
import { applyBalanceDeltas, createBalances, readAvailable, type BalanceDelta } from './balances.sql.js';
import { insertEntries } from './entries.sql.js';
import { lockHeads, saveHeads } from './heads.sql.js';
import { insertLots, loadLots, loadUnwindable, writeBurns, writeRestores, type NewLot } from './lots.sql.js';

const NOTHING: BalanceDelta = { balance: 0n, held: 0n };

/**
 * The one way in which the ledger is written. A posting locks the heads of its accounts in the order of their ids,
 * collects what its caller decides, and writes it in one batch: entries, lots, heads, and last of all the balances.
 * Holds go on until the balances are touched, so `available` may be less by then: the write then fails on the
 * constraint `available_never_negative` (`isOvertaken`), and the caller rolls back and tries again.
 */
export class Posting {
  private readonly createdAt: string;
  private readonly lots = new Map<AccountId, readonly Lot[]>();
  private readonly availables = new Map<AccountId, Credits>();
  private readonly entries: LedgerEntry[] = [];
  private readonly grants: NewLot[] = [];
  private readonly burns: LotBurn[] = [];
  private readonly restores: LotRestore[] = [];
  private readonly opened = new Set<AccountId>();
  private readonly moved = new Set<AccountId>();
  private readonly deltas = new Map<AccountId, BalanceDelta>();

  private constructor(
    private readonly tx: pg.PoolClient,
    private readonly heads: Map<AccountId, LedgerHead>,
    readonly nowMs: number,
  ) {
    this.createdAt = toIso(nowMs);
  }

  /**
   * Locks every account; one that has no chain yet begins it. The clock is read under the locks, so that the times along
   * a chain are in its order. In a transaction only.
   */
  static async open(tx: pg.PoolClient, accounts: Iterable<AccountId>, clock: Pick<Clock, 'nowMs'>): Promise<Posting> {
    const heads = await lockHeads(tx, accounts);
    return new Posting(tx, heads, clock.nowMs());
  }

  /**
   * Locks those accounts that billing has heard of, and reads their lots and what is available. `known` tells the others
   * apart. In a transaction only. The clock is read as `open` does.
   */
  static async openKnown(
    tx: pg.PoolClient,
    accounts: Iterable<AccountId>,
    clock: Pick<Clock, 'nowMs'>,
  ): Promise<Posting> {
    const ids = [...new Set(accounts)];
    const before = await readAvailable(tx, ids);
    const known = ids.filter((id) => before.has(id));
    const posting = await Posting.open(tx, known, clock);
    await posting.readLots(known);
    // Amounts that were read before the lock may be older than what the lock waited for.
    for (const [accountId, available] of await readAvailable(tx, known)) posting.availables.set(accountId, available);
    return posting;
  }

  /** Reads the lots of accounts that are locked; credits are taken of these accounts only. */
  async readLots(accounts: Iterable<AccountId>): Promise<void> {
    for (const [accountId, lots] of await loadLots(this.tx, [...accounts])) this.lots.set(accountId, lots);
  }

  /** Whether billing has heard of the account. Only of a posting from `openKnown`. */
  known(accountId: AccountId): boolean {
    return this.availables.has(accountId);
  }

  /** Balance less open holds, as this posting would leave it. Only of a posting from `openKnown`. */
  available(accountId: AccountId): Credits {
    return creditsFromMicro((this.availables.get(accountId) ?? 0n) + this.freed(accountId));
  }

  /** The amount by which this posting raises what is available: what ended holds give back, less what is taken. */
  freed(accountId: AccountId): Credits {
    const { balance, held } = this.deltas.get(accountId) ?? NOTHING;
    return (balance - held) as Credits;
  }

  /** In burn order, as this posting would leave them but for what it gives back; only those of which something is left. */
  lotsOf(accountId: AccountId): readonly Lot[] {
    const lots = this.lots.get(accountId);
    if (lots === undefined) throw new Error(`the lots of ${accountId} are not read`);
    return lots;
  }

  /** Takes `amount` (> 0) from all lots, in burn order. Throws where they do not hold as much. */
  charge(accountId: AccountId, movement: Movement<PostedBy<'charge'>>, amount: Credits): LedgerEntry {
    return this.take(accountId, movement, amount);
  }

  /** Takes `amount` (> 0) from one lot, or from all in burn order. Throws where they do not hold as much. */
  burn(accountId: AccountId, movement: Movement<PostedBy<'burn'>>, amount: Credits, lotId?: string): LedgerEntry {
    return this.take(accountId, movement, amount, lotId);
  }

  /**
   * Takes what has expired, lot by lot, in burn order, and no more than `upTo` together.
   * @returns how many entries that makes
   */
  lapse(accountId: AccountId, upTo: Credits): number {
    const lapsed = lapsedLots(this.lotsOf(accountId), this.nowMs, upTo);
    for (const each of lapsed) this.take(accountId, lapseMovement(each, this.nowMs), each.amount, each.lot.lotId);
    return lapsed.length;
  }

  /** Adds a lot of `amount` (> 0). No more is taken of the account in this posting, which does not know where it stands. */
  grant(
    accountId: AccountId,
    movement: Movement<PostedBy<'grant'>>,
    amount: Credits,
    lot: Pick<NewLot, 'category' | 'expiresAt' | 'grantRef'>,
  ): LedgerEntry {
    const entry = this.book(accountId, movement, amount);
    // A lot has the id of the entry that granted it.
    this.grants.push({ ...lot, lotId: entry.entryId, accountId, amount, grantedAt: movement.effectiveAt });
    this.lots.delete(accountId);
    return entry;
  }

  /** The part of an entry's burns that has not been given back yet. */
  async unwindable(entryId: string): Promise<Credits> {
    const burns = await loadUnwindable(this.tx, entryId);
    return creditsFromMicro(burns.reduce((sum, burn) => sum + burn.amount, 0n));
  }

  /**
   * Gives `amount` (> 0) of what `unwoundEntryId` took back into the lots it came from, last burned first. At most once
   * per unwound entry and posting. Throws where less is left to give back.
   */
  async restore(
    accountId: AccountId,
    movement: Movement<PostedBy<'restore'>>,
    amount: Credits,
    unwoundEntryId: string,
  ): Promise<{ readonly entry: LedgerEntry; readonly restores: readonly LotRestore[] }> {
    const burns = await loadUnwindable(this.tx, unwoundEntryId);
    const entry = this.book(accountId, movement, amount);
    const restores = unwindBurns(burns, amount, { ledgerEntryId: entry.entryId, unwoundEntryId });
    this.restores.push(...restores);
    return { entry, restores };
  }

  /** Makes available again what an ended hold had reserved. The account need not be locked. */
  release(accountId: AccountId, reserved: Credits): void {
    this.addDelta(accountId, 0n, -reserved);
  }

  /** Where the account has no balance yet, it gets one of 0. */
  openAccount(accountId: AccountId): void {
    this.opened.add(accountId);
  }

  /** The place of what the caller records beside the entries: the next settlement of the account. */
  nextSettlement(accountId: AccountId): bigint {
    const head = this.head(accountId);
    const settlementSeq = head.settlementSeq + 1n;
    this.move({ ...head, settlementSeq });
    return settlementSeq;
  }

  /**
   * Writes everything, once. Ends in the statement that touches the balances; nothing may follow it but the commit.
   * @param beforeBalances touches what holds wait for as they do for balances, and takes before them
   */
  async write(beforeBalances?: () => Promise<void>): Promise<void> {
    await insertEntries(this.tx, this.entries);
    await insertLots(this.tx, this.grants);
    await writeBurns(this.tx, this.burns);
    await writeRestores(this.tx, this.restores);
    await saveHeads(
      this.tx,
      [...this.moved].map((accountId) => this.head(accountId)),
    );
    await beforeBalances?.();
    await createBalances(this.tx, [...this.opened]);
    await applyBalanceDeltas(this.tx, this.deltas);
  }

  private take(accountId: AccountId, movement: Movement, amount: Credits, lotId?: string): LedgerEntry {
    const lots = this.lotsOf(accountId);
    const entry = this.book(accountId, movement, amount);
    const chosen = lotId === undefined ? lots : lots.filter((lot) => lot.lotId === lotId);
    const burned = burnLots(chosen, amount, entry.entryId);
    const [first] = burned.lots;
    this.lots.set(
      accountId,
      lotId === undefined || first === undefined ? burned.lots : lots.map((lot) => (lot.lotId === lotId ? first : lot)),
    );
    this.burns.push(...burned.burns);
    return entry;
  }

  private book(accountId: AccountId, movement: Movement, amount: Credits): LedgerEntry {
    if (amount <= 0n) throw new Error(`an entry of ${amount} micro-credits moves nothing`);
    const signed = (traitsOf(movement.entryType).sign * amount) as Credits;
    const place = { entryId: newLedgerEntryId(this.nowMs), amount: signed, createdAt: this.createdAt };
    const { entry, head } = chainEntry(this.head(accountId), movement, place);
    this.move(head);
    this.entries.push(entry);
    this.addDelta(accountId, signed, 0n);
    return entry;
  }

  private move(head: LedgerHead): void {
    this.heads.set(head.accountId, head);
    this.moved.add(head.accountId);
  }

  private addDelta(accountId: AccountId, balance: bigint, held: bigint): void {
    const before = this.deltas.get(accountId) ?? NOTHING;
    this.deltas.set(accountId, { balance: before.balance + balance, held: before.held + held });
  }

  private head(accountId: AccountId): LedgerHead {
    const head = this.heads.get(accountId);
    if (head === undefined) throw new Error(`the head of ${accountId} is not locked`);
    return head;
  }
}
