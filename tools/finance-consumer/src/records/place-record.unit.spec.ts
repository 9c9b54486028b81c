import { describe, expect, it } from '@jest/globals';
import { placeRecord, type Head, type Incoming, type Placement } from './place-record.js';

const settlement = (seq: number, id = `id-${seq}`): Incoming => ({ seq, id });
const readAll = (records: readonly Incoming[], head?: Head): { head: Head | undefined; kinds: Placement['kind'][] } => {
  const kinds: Placement['kind'][] = [];
  for (const record of records) {
    const placed = placeRecord(head, record);
    kinds.push(placed.kind);
    if (placed.kind === 'new') head = placed.head;
  }
  return { head, kinds };
};

describe('placing a record', () => {
  it('goes on by one, and takes each number once', () => {
    const { head, kinds } = readAll([1, 2, 2, 3, 1, 3].map((seq) => settlement(seq)));
    expect(kinds).toEqual(['new', 'new', 'duplicate', 'new', 'duplicate', 'duplicate']);
    expect(head).toEqual({ seq: 3, id: 'id-3', missing: [] });
  });

  it('remembers what was passed over, from the first number on, until it comes', () => {
    const { head } = readAll([3, 7, 8].map((seq) => settlement(seq)));
    expect(head).toEqual({
      seq: 8,
      id: 'id-8',
      missing: [
        [1, 2],
        [4, 6],
      ],
    });
    const late = readAll(
      [5, 5, 2].map((seq) => settlement(seq)),
      head,
    );
    expect(late.kinds).toEqual(['new', 'duplicate', 'new']);
    expect(late.head).toEqual({
      seq: 8,
      id: 'id-8',
      missing: [
        [1, 1],
        [4, 4],
        [6, 6],
      ],
    });
    expect(
      readAll(
        [1, 4, 6].map((seq) => settlement(seq)),
        late.head,
      ).head?.missing,
    ).toEqual([]);
  });

  it('sees two records of one number', () => {
    expect(readAll([settlement(1), settlement(1, 'another')]).kinds).toEqual(['new', 'conflict']);
  });

  it('sees an entry that does not follow the one before it, and not where that one is missing', () => {
    const zeros = '0'.repeat(64);
    const entry = (seq: number, previousHash: string, balanceBefore: string): Incoming => ({
      seq,
      id: `id-${seq}`,
      chain: { hash: `hash-${seq}`, previousHash, balanceBefore, balance: String(seq * 10) },
    });
    const problemOf = (head: Head | undefined, record: Incoming): string | undefined => {
      const placed = placeRecord(head, record);
      return placed.kind === 'new' ? placed.problem : 'not new';
    };
    expect(problemOf(undefined, entry(1, zeros, '0'))).toBeUndefined();
    expect(problemOf(undefined, entry(1, 'x', '0'))).toMatch(/hash/);
    const { head } = readAll([entry(1, zeros, '0')]);
    expect(problemOf(head, entry(2, 'hash-1', '10'))).toBeUndefined();
    expect(problemOf(head, entry(2, 'hash-0', '10'))).toMatch(/hash/);
    expect(problemOf(head, entry(2, 'hash-1', '11'))).toMatch(/balance/);
    expect(problemOf(head, entry(4, 'hash-3', '30'))).toBeUndefined();
  });
});
