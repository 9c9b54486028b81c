import {
  minCredits,
  subtractCredits,
  type AccountId,
  type Credits,
  type LedgerEntryId,
} from '@capability-router/kernel';

/** The remainder of one grant. */
export interface Lot {
  readonly lotId: string;
  readonly accountId: AccountId;
  readonly remaining: Credits;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAtMs: number | null;
}

export interface LotBurn {
  readonly ledgerEntryId: LedgerEntryId;
  readonly lotId: string;
  readonly amount: Credits;
}

/**
 * Takes `amount` from `lots`, which are in burn order (earliest expiry, then oldest). Throws where they do not hold
 * enough: the sum of remainders equals the balance, and no charge exceeds the balance.
 */
export function burnLots(
  lots: readonly Lot[],
  amount: Credits,
  ledgerEntryId: LedgerEntryId,
): { lots: readonly Lot[]; burns: readonly LotBurn[] } {
  let open = amount;
  const burns: LotBurn[] = [];
  const after = lots.map((lot) => {
    const taken = minCredits(lot.remaining, open);
    if (taken === 0n) return lot;
    open = subtractCredits(open, taken);
    burns.push({ ledgerEntryId, lotId: lot.lotId, amount: taken });
    return { ...lot, remaining: subtractCredits(lot.remaining, taken) };
  });
  if (open > 0n) throw new Error(`the lots of entry ${ledgerEntryId} fall ${open} micro-credits short`);
  return { lots: after, burns };
}

/** The amount of one lot that has lapsed. */
export interface LapsedLot {
  readonly lot: Lot;
  readonly amount: Credits;
}

/**
 * The part of `lots` that has expired and is reserved by nobody: min(remainder, available) of each, in burn order,
 * until nothing is available. Credits that open holds may still burn stay.
 */
export function lapsedLots(lots: readonly Lot[], nowMs: number, available: Credits): LapsedLot[] {
  let open = available;
  const lapsed: LapsedLot[] = [];
  for (const lot of lots) {
    if (open <= 0n || lot.expiresAtMs === null || lot.expiresAtMs > nowMs) break;
    const amount = minCredits(lot.remaining, open);
    if (amount === 0n) continue;
    open = subtractCredits(open, amount);
    lapsed.push({ lot, amount });
  }
  return lapsed;
}

/** The amount that an entry burned of one lot and that was not given back yet. */
export interface UnwindableBurn {
  readonly lotId: string;
  readonly amount: Credits;
}

export interface LotRestore {
  readonly ledgerEntryId: LedgerEntryId;
  readonly lotId: string;
  readonly unwoundEntryId: string;
  readonly amount: Credits;
}

/**
 * Gives `amount` back into the lots it was burned from, last burned first. `burns` are in burn order. Throws where
 * they do not hold as much: no more comes back than was taken.
 */
export function unwindBurns(
  burns: readonly UnwindableBurn[],
  amount: Credits,
  ids: Pick<LotRestore, 'ledgerEntryId' | 'unwoundEntryId'>,
): LotRestore[] {
  let open = amount;
  const restores: LotRestore[] = [];
  for (const { lotId, amount: burned } of [...burns].reverse()) {
    const restored = minCredits(burned, open);
    if (restored === 0n) continue;
    open = subtractCredits(open, restored);
    restores.push({ ...ids, lotId, amount: restored });
  }
  if (open > 0n) throw new Error(`entry ${ids.unwoundEntryId} has ${open} micro-credits fewer to give back`);
  return restores;
}
