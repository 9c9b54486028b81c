import { FIRST_HASH, hashDetails, hashEntry } from '../chain/entry.js';
import { hashedMembers, type StoredEntryRow } from '../chain/stored-entry.sql.js';

export interface Finding {
  readonly kind: 'changed' | 'missing' | 'forked' | 'details_changed' | 'head';
  readonly chain: string;
  readonly entrySeq: number;
  readonly entryId: string | null;
}

/** The last entry that was looked at. */
export interface Place {
  readonly chain: string;
  readonly entrySeq: number;
  readonly hash: string;
}

export const BEGINNING: Place = { chain: '', entrySeq: 0, hash: FIRST_HASH };

/**
 * Follows chains entry by entry: each hash is made anew and compared, each entry names the one before it and has the number
 * behind it, and details that are still there are those that were hashed.
 */
export function followChains(
  rows: readonly StoredEntryRow[],
  from: Place,
): { readonly findings: Finding[]; readonly ends: ReadonlyMap<string, Place>; readonly last: Place } {
  const findings: Finding[] = [];
  const ends = new Map<string, Place>(from.chain === '' ? [] : [[from.chain, from]]);
  let last = from;
  for (const row of rows) {
    const { chain, entrySeq, entryId, hash, salt, details } = row;
    if (chain !== last.chain) last = { ...BEGINNING, chain };
    const found = (kind: Finding['kind']): number => findings.push({ kind, chain, entrySeq, entryId });
    if (entrySeq !== last.entrySeq + 1) found('missing');
    else if (row.previousHash !== last.hash) found('forked');
    if (hashEntry(hashedMembers(row)) !== hash) found('changed');
    if (salt !== null && details !== null && hashDetails(salt, details) !== row.detailsHash) found('details_changed');
    last = { chain, entrySeq, hash };
    ends.set(chain, last);
  }
  return { findings, ends, last };
}
