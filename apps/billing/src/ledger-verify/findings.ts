/** The kinds of findings of `ledger verify`. */
export type FindingKind =
  /** The row's own hash does not recompute, or its amounts do not add up. */
  | 'changed'
  /** Entries that the chain, the head or the topic knows are not in the ledger. */
  | 'missing'
  /** A row that does not follow the one before it: one of the two was exchanged or written anew. */
  | 'out_of_place'
  /** A row that the chain, the head or the topic has no place for. */
  | 'inserted'
  /** The head or the balance of an account is not what its last entry says. */
  | 'head'
  /** A daily root is not what the ledger adds up to, or the roots do not follow each other. */
  | 'root'
  /** The ledger and what was published of it differ. */
  | 'topic';

export interface Finding {
  readonly kind: FindingKind;
  /** Null of a root. */
  readonly accountId: string | null;
  /** A decimal string: the place in the chain, or of the root. */
  readonly sequence: string | null;
  /** The row at that place, or that follows the gap; null where there is none. */
  readonly entryId: string | null;
  readonly detail: string;
}

/** Findings that are listed; the rest is counted. */
export const MAX_FINDINGS = 100;

/** The first findings in full and the number of all. */
export class Findings {
  readonly listed: Finding[] = [];
  count = 0;

  add(finding: Finding): void {
    this.count += 1;
    if (this.listed.length < MAX_FINDINGS) this.listed.push(finding);
  }
}
