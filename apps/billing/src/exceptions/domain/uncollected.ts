import { AppError } from '@capability-router/kernel';
import { uncollectedKinds } from './exception-kinds.js';

/** An exception with what the money says of it; amounts are decimal strings of micro-credits. */
export interface SettledException {
  readonly kind: string;
  readonly execution_id: string;
  readonly requested_micro: string;
  /** Null while it is not settled. */
  readonly settled_micro: string | null;
}

/** The amount that a write-off gives up. Throws `conflict` where there is none. */
export function amountToWriteOff(found: SettledException): bigint {
  const amount = uncollected(found);
  if (amount > 0n) return amount;
  const charged = BigInt(found.settled_micro ?? 0) > 0n;
  const [why, instead] = charged
    ? ['was charged', 'Refund it, or confirm it']
    : ['left nothing that settlement tried to collect', 'Confirm it'];
  throw new AppError('conflict', `${found.execution_id} ${why}, so there is nothing to write off. ${instead}.`);
}

/** The amount that settlement did not collect; 0 where something was charged, and where nothing was asked for. */
export function uncollected(found: Omit<SettledException, 'execution_id'>): bigint {
  const ofSettlement = (uncollectedKinds as readonly string[]).includes(found.kind);
  const settled = BigInt(found.settled_micro ?? 0);
  return ofSettlement && settled === 0n ? BigInt(found.requested_micro) : 0n;
}
