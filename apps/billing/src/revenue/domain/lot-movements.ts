import type { LedgerEntryRecorded } from '@capability-router/contracts';

/** The members of an entry from which revenue is told, as the topic and the export have them. */
export type BookableEntry = Pick<
  LedgerEntryRecorded,
  'entryId' | 'entryType' | 'amountMicroCredits' | 'createdAt' | 'lots' | 'paidAmount' | 'paidCurrency'
>;

/** The ways in which credits of a lot move. All but `granted` and `corrected` are told without their sign. */
export const movements = ['granted', 'used', 'refunded', 'expired', 'returned', 'corrected'] as const;
export type MovementKind = (typeof movements)[number];

/** Whether a movement adds to what is deferred: opening + Σ sign × movement = closing. */
export const signs: Readonly<Record<MovementKind, 1n | -1n>> = {
  granted: 1n,
  used: -1n,
  refunded: 1n,
  expired: -1n,
  returned: -1n,
  corrected: 1n,
};

export interface LotMovement {
  readonly lotId: string;
  readonly category: string;
  /** Micro-credits, signed. */
  readonly amount: bigint;
  readonly kind: MovementKind;
}

/** Undefined where the record was published before entries told their lots. */
export function movementsOf(entry: BookableEntry): LotMovement[] | undefined {
  if (entry.lots === undefined) return undefined;
  const lots = JSON.parse(entry.lots) as { lot_id: string; category: string; amount_micro_credits: string }[];
  return lots.map(({ lot_id: lotId, category, amount_micro_credits: micro }) => ({
    lotId,
    category,
    amount: BigInt(micro),
    // A lot has the id of the entry that granted it.
    kind: lotId === entry.entryId ? 'granted' : kindOf(entry.entryType),
  }));
}

function kindOf(entryType: string): MovementKind {
  if (entryType === 'consume_grant_expiry') return 'expired';
  if (entryType === 'consume_payment_refund') return 'returned';
  if (entryType === 'grant_charge_refund') return 'refunded';
  return entryType.endsWith('_correction') ? 'corrected' : 'used';
}
