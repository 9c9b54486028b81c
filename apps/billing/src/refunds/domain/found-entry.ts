import type { LedgerEntryType } from '@capability-router/contracts';
import type { Credits } from '@capability-router/kernel';

/** The members of an entry that a refund or a correction of it needs. */
export interface FoundEntry {
  readonly entryId: string;
  readonly entryType: LedgerEntryType;
  /** Signed. */
  readonly amount: Credits;
  readonly sourceRefType: string;
  readonly sourceRefId: string;
  readonly executionId: string | null;
  readonly effectiveAt: string;
  /** The project that it is counted for. */
  readonly projectId?: string;
}
