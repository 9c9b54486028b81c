import {
  minCredits,
  subtractCredits,
  type AccountId,
  type Credits,
  type LedgerEntryId,
} from '@capability-router/kernel';

/** What is left of one grant. */
export interface Lot {
  readonly lotId: string;
  readonly accountId: AccountId;
  readonly remaining: Credits;
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
