import type { EventEnvelope, UsageSettled } from '@capability-router/contracts';
import { isSearchId, usageEventIdOf } from '@capability-router/kernel';

/** A call that was paid for and that names the search that led to it. Whether it did is for the tables to say. */
export interface ChargedUse {
  readonly accountId: string;
  readonly toolId: string;
  readonly searchId: string;
  /** The UUID of the search. */
  readonly usageEventId: string;
  /** Milliseconds since the epoch. */
  readonly usedAtMs: number;
}

/** Undefined for what was not charged, for calls of trial accounts, and where no search is named. */
export function chargedUseOf(event: EventEnvelope): ChargedUse | undefined {
  if (event.type !== 'UsageSettled') return undefined;
  const { accountId, accountKind, toolId, searchId, status, settledMicroCredits, effectiveAt } =
    event.data as unknown as UsageSettled;
  if (status !== 'settled' || !(Number(settledMicroCredits) > 0) || accountKind !== 'formal') return undefined;
  if (toolId === undefined || searchId === undefined || !isSearchId(searchId)) return undefined;
  return { accountId, toolId, searchId, usageEventId: usageEventIdOf(searchId), usedAtMs: Date.parse(effectiveAt) };
}
