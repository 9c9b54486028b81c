/** Numbers that have not come, both ends included. */
export type Range = readonly [from: number, to: number];

/** How far one account has been read in one stream. */
export interface Head {
  readonly seq: number;
  /** The id of the record at `seq`. */
  readonly id: string;
  readonly missing: readonly Range[];
  /** The chain's digests in the record at `seq`; present in the ledger only. */
  readonly chain?: { readonly hash: string; readonly balance: string };
}

export interface Incoming {
  readonly seq: number;
  readonly id: string;
  /** Present in the ledger only. Balances are decimal strings of micro-credits. */
  readonly chain?: {
    readonly hash: string;
    readonly previousHash: string;
    readonly balanceBefore: string;
    readonly balance: string;
  };
}

export type Placement =
  /** Not seen before: write it. `problem`: it is not what the record before it says. */
  | { readonly kind: 'new'; readonly head: Head; readonly problem?: string }
  /** Delivered before: nothing to do. */
  | { readonly kind: 'duplicate' }
  /** Another record of a number that was read before: not written. */
  | { readonly kind: 'conflict'; readonly problem: string };

const GENESIS = { hash: '0'.repeat(64), balance: '0' };

/** Where a record belongs: a sequence without gaps per account is the proof that none is missing. */
export function placeRecord(head: Head | undefined, record: Incoming): Placement {
  const last = head?.seq ?? 0;
  const missing = head?.missing ?? [];
  if (head !== undefined && record.seq <= last) {
    const hole = missing.find(([from, to]) => from <= record.seq && record.seq <= to);
    if (hole !== undefined) return { kind: 'new', head: { ...head, missing: without(missing, hole, record.seq) } };
    if (record.seq === last && record.id !== head.id) {
      return { kind: 'conflict', problem: `${record.id} has the number of ${head.id}` };
    }
    return { kind: 'duplicate' };
  }
  const next: Head = {
    seq: record.seq,
    id: record.id,
    missing: record.seq === last + 1 ? missing : [...missing, [last + 1, record.seq - 1]],
    ...(record.chain === undefined ? {} : { chain: { hash: record.chain.hash, balance: record.chain.balance } }),
  };
  const problem = record.seq === last + 1 ? linkProblem(head, record) : undefined;
  return { kind: 'new', head: next, ...(problem === undefined ? {} : { problem }) };
}

function linkProblem(head: Head | undefined, { id, chain }: Incoming): string | undefined {
  if (chain === undefined) return undefined;
  const before = head === undefined ? GENESIS : (head.chain ?? GENESIS);
  if (chain.previousHash !== before.hash) return `${id} does not follow the hash of the entry before it`;
  if (chain.balanceBefore !== before.balance) return `${id} does not start from the balance of the entry before it`;
  return undefined;
}

function without(missing: readonly Range[], hole: Range, seq: number): Range[] {
  const rest: Range[] = [
    [hole[0], seq - 1],
    [seq + 1, hole[1]],
  ];
  return missing.flatMap((range) => (range === hole ? rest.filter(([from, to]) => from <= to) : [range]));
}
