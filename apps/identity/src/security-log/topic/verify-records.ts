import type { SecurityLogEntryRecorded } from '@capability-router/contracts';
import { FIRST_HASH } from '../chain/entry.js';
import type { Finding } from '../verify/verify-chains.js';
import { isAsHashed } from './published-entry.js';

/** So much of a record is needed to follow its chain. */
export interface ChainedRecord {
  readonly entrySeq: number;
  readonly entryId: string;
  readonly previousHash: string;
  readonly hash: string;
  /** Its hash is that of its members. */
  readonly sound: boolean;
}

/** So much of a record, whose hash is made anew. */
export const chainedRecord = (record: SecurityLogEntryRecorded): ChainedRecord => {
  const { entrySeq, entryId, previousHash, hash } = record;
  return { entrySeq, entryId, previousHash, hash, sound: isAsHashed(record) };
};

/**
 * Follows one chain by what was published of it, in any order: each hash is that of its members, each record names the one
 * before it, and no number is missing from 1 on. A relay that dies publishes its last batch again: a record that
 * comes again is the same one.
 *
 * @param beginning `kept`: older records have expired, and the first one that is there follows what is not known any more
 */
export function followRecords(
  chain: string,
  records: readonly ChainedRecord[],
  beginning: 'first' | 'kept' = 'first',
): Finding[] {
  const findings: Finding[] = [];
  const inOrder = records.toSorted((a, b) => a.entrySeq - b.entrySeq);
  const [first] = inOrder;
  let last: Pick<ChainedRecord, 'entrySeq' | 'hash'> =
    beginning === 'first' || first === undefined
      ? { entrySeq: 0, hash: FIRST_HASH }
      : { entrySeq: first.entrySeq - 1, hash: first.previousHash };
  for (const record of inOrder) {
    const { entrySeq, entryId, hash, previousHash, sound } = record;
    const found = (kind: Finding['kind']): number => findings.push({ kind, chain, entrySeq, entryId });
    if (!sound) found('changed');
    else if (entrySeq === last.entrySeq && hash === last.hash) continue;
    else if (entrySeq > last.entrySeq + 1) found('missing');
    else if (entrySeq === last.entrySeq || previousHash !== last.hash) found('forked');
    last = { entrySeq, hash };
  }
  return findings;
}
