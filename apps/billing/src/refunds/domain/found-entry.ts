import type { LedgerEntryType } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';

/** What a refund or a correction needs to know of the entry that it undoes. */
export interface FoundEntry {
  readonly entryId: string;
  readonly entryType: LedgerEntryType;
  /** Signed. */
  readonly amount: Credits;
  readonly sourceRefType: string;
  readonly sourceRefId: string;
  readonly executionId: string | null;
  readonly effectiveAt: string;
}
