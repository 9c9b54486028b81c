import { toIso } from '@capability-router/kernel';
import type { Movement } from './entry.js';
import type { PostedBy } from './entry-types.js';
import type { LapsedLot } from './lots.js';

/** The ledger's view of what lapsed of one grant. A grant can lapse in several entries, while calls still hold some of it. */
export function lapseMovement({ lot }: LapsedLot, nowMs: number): Movement<PostedBy<'lapse'>> {
  return {
    entryType: 'consume_grant_expiry',
    sourceSystem: 'billing',
    sourceRefType: 'grant',
    // A lot has the id of the entry that granted it.
    sourceRefId: lot.lotId,
    executionId: null,
    description: 'Credits expired',
    metadata: { grant_id: lot.lotId, ...(lot.expiresAtMs === null ? {} : { expired_at: toIso(lot.expiresAtMs) }) },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: toIso(nowMs),
  };
}
