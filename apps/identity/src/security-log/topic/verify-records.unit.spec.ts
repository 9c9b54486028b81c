import { describe, expect, it } from '@jest/globals';
import type { SecurityLogEntryRecorded } from '@capability-router/contracts';
import { FIRST_HASH, hashEntry } from '../chain/entry.js';
import { chainedRecord, followRecords } from './verify-records.js';

const CHAIN = `acc_${'b'.repeat(32)}`;

/** The records of a chain, each behind the one before it. */
function chainOfLength(length: number): SecurityLogEntryRecorded[] {
  const records: SecurityLogEntryRecorded[] = [];
  for (let entrySeq = 1; entrySeq <= length; entrySeq += 1) records.push(following(records.at(-1), entrySeq));
  return records;
}

function following(
  before: SecurityLogEntryRecorded | undefined,
  entrySeq: number,
  action = 'key.issued',
): SecurityLogEntryRecorded {
  const entry = {
    entryId: `018f0000-0000-7000-8000-00000000000${entrySeq}`,
    chain: CHAIN,
    entrySeq,
    action,
    accountId: CHAIN,
    actorType: 'system',
    occurrences: 1,
    recordedAt: '2026-01-15T12:00:00.000Z',
    previousHash: before?.hash ?? FIRST_HASH,
  };
  const absent = { actorAccountId: null, actorApiKeyId: null, actorClientId: null, credentialType: null };
  const more = { objectType: null, objectId: null, reason: null, requestId: null, detailsHash: null };
  return { ...entry, hash: hashEntry({ ...entry, ...absent, ...more }) };
}

const found = (records: readonly SecurityLogEntryRecorded[], beginning?: 'first' | 'kept'): unknown[] =>
  followRecords(CHAIN, records.map(chainedRecord), beginning).map(({ kind, entrySeq }) => [kind, entrySeq]);

describe('following a chain by its records alone', () => {
  const records = chainOfLength(5);
  const [first, second, third, fourth, fifth] = records as [
    SecurityLogEntryRecorded,
    SecurityLogEntryRecorded,
    SecurityLogEntryRecorded,
    SecurityLogEntryRecorded,
    SecurityLogEntryRecorded,
  ];

  it('finds nothing where nothing was changed, in whatever order they come and however often', () => {
    expect(found(records)).toEqual([]);
    expect(found([fifth, second, first, third, second, fourth, fifth])).toEqual([]);
  });

  it('passes over members that a later build adds', () => {
    expect(found(records.map((record) => ({ ...record, addedLater: 'x' })))).toEqual([]);
  });

  it.each<[string, SecurityLogEntryRecorded[], unknown[]]>([
    ['another content', [first, { ...second, action: 'key.revoked' }, third], [['changed', 2]]],
    ['a member that was taken away', [first, second, { ...third, accountId: undefined as never }], [['changed', 3]]],
    ['a gap', [first, third, fourth], [['missing', 3]]],
    ['a beginning that is gone', [second, third], [['missing', 2]]],
    [
      'an entry that follows another one',
      [first, second, following(first, 3), fourth],
      [
        ['forked', 3],
        ['forked', 4],
      ],
    ],
    [
      'two entries with one number',
      [first, second, following(first, 2, 'key.revoked'), third],
      [
        ['forked', 2],
        ['forked', 3],
      ],
    ],
  ])('names %s', (_what, published, findings) => {
    expect(found(published)).toEqual(findings);
  });

  it('begins at the first record that is kept, where older ones have expired', () => {
    expect(found([third, fourth, fifth], 'kept')).toEqual([]);
    expect(found([third, fifth], 'kept')).toEqual([['missing', 5]]);
    expect(found([{ ...third, action: 'key.revoked' }, fourth], 'kept')).toEqual([['changed', 3]]);
  });
});
