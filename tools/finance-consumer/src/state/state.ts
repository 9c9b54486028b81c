import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import type { Head, Range } from '../records/place-record.js';
import { totalsFromJson, totalsToJson, type Tally, type Totals } from '../records/totals.js';
import type { Stream } from '../streams.js';

/** Bytes of blocks and of writes that the store keeps in memory. */
const STORE_MEMORY_BYTES = 8 * 1_048_576;

/** The balance that the balances topic says, and the entry that it counts up to. */
export interface KnownBalance {
  readonly entrySeq: number;
  readonly balance: string;
}

export interface Problem {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly detail: string;
}

/** Everything that becomes true at once when a batch is stored. */
export interface Commit {
  /** The next offset of each partition, by `topic/partition`. */
  readonly offsets: ReadonlyMap<string, bigint>;
  readonly heads: ReadonlyMap<
    string,
    { readonly stream: Stream['name']; readonly accountId: string; readonly head: Head }
  >;
  readonly balances: ReadonlyMap<string, KnownBalance>;
  readonly totals: ReadonlyMap<Stream['name'], Totals>;
  /** The last segment of each stream. */
  readonly segments: ReadonlyMap<Stream['name'], number>;
  readonly problems: readonly Problem[];
  /** The number of the first of `problems`. */
  readonly firstProblem: number;
}

export const headKey = (stream: Stream['name'], accountId: string): string => `head/${stream}/${accountId}`;
const gapKey = (stream: Stream['name'], accountId: string): string => `gap/${stream}/${accountId}`;
const problemKey = (n: number): string => `problem/${String(n).padStart(8, '0')}`;

/**
 * The progress of reading, on disk and not in memory: how far each account goes, the offsets, the totals. One process at
 * a time holds it; the lock goes with the process.
 */
export class State {
  private constructor(
    private readonly db: ClassicLevel<string, string>,
    /** Names the consumer group of this folder. */
    readonly id: string,
  ) {}

  static async open(folder: string): Promise<State> {
    const db = new ClassicLevel<string, string>(join(folder, 'state'), {
      cacheSize: STORE_MEMORY_BYTES,
      writeBufferSize: STORE_MEMORY_BYTES,
    });
    await db.open().catch((error: Error & { cause?: { code?: string } }) => {
      if (error.cause?.code !== 'LEVEL_LOCKED') throw error;
      throw new Error(`another process works in ${folder}: one at a time can`, { cause: error });
    });
    let id = await db.get('id');
    if (id === undefined) {
      id = randomUUID();
      await db.put('id', id, { sync: true });
    }
    return new State(db, id);
  }

  close(): Promise<void> {
    return this.db.close();
  }

  /** Durable when it returns, and all or nothing. */
  async commit(commit: Commit): Promise<void> {
    const batch = this.db.batch();
    for (const [partition, offset] of commit.offsets) batch.put(`offset/${partition}`, offset.toString());
    for (const { stream, accountId, head } of commit.heads.values()) {
      batch.put(headKey(stream, accountId), JSON.stringify(head));
      if (head.missing.length > 0) batch.put(gapKey(stream, accountId), JSON.stringify(head.missing));
      else batch.del(gapKey(stream, accountId));
    }
    for (const [accountId, balance] of commit.balances) batch.put(`balance/${accountId}`, JSON.stringify(balance));
    for (const [stream, totals] of commit.totals) batch.put(`totals/${stream}`, JSON.stringify(totalsToJson(totals)));
    for (const [stream, segment] of commit.segments) batch.put(`segment/${stream}`, String(segment));
    commit.problems.forEach((problem, index) =>
      batch.put(problemKey(commit.firstProblem + index), JSON.stringify(problem)),
    );
    await batch.write({ sync: true });
  }

  async offsets(): Promise<Map<string, bigint>> {
    const found = new Map<string, bigint>();
    for await (const [key, value] of this.under('offset/')) found.set(key, BigInt(value));
    return found;
  }

  /** In the order of `keys`, which `headKey` makes. */
  async heads(keys: readonly string[]): Promise<(Head | undefined)[]> {
    const values = await this.db.getMany([...keys]);
    return values.map((value) => (value === undefined ? undefined : (JSON.parse(value) as Head)));
  }

  async totals(stream: Stream['name']): Promise<Map<string, Tally>> {
    const value = await this.db.get(`totals/${stream}`);
    return value === undefined ? new Map() : totalsFromJson(JSON.parse(value) as Parameters<typeof totalsFromJson>[0]);
  }

  /** 0 before the first. */
  async lastSegment(stream: Stream['name']): Promise<number> {
    return Number((await this.db.get(`segment/${stream}`)) ?? 0);
  }

  async *gaps(stream: Stream['name']): AsyncGenerator<{ accountId: string; missing: readonly Range[] }> {
    for await (const [accountId, value] of this.under(`gap/${stream}/`)) {
      yield { accountId, missing: JSON.parse(value) as Range[] };
    }
  }

  async *balances(): AsyncGenerator<KnownBalance & { accountId: string }> {
    for await (const [accountId, value] of this.under('balance/')) {
      yield { accountId, ...(JSON.parse(value) as KnownBalance) };
    }
  }

  async *problems(): AsyncGenerator<Problem> {
    for await (const [, value] of this.under('problem/')) yield JSON.parse(value) as Problem;
  }

  async problemCount(): Promise<number> {
    for await (const key of this.db.keys({ gte: 'problem/', lt: 'problem0', reverse: true, limit: 1 })) {
      return Number(key.slice('problem/'.length)) + 1;
    }
    return 0;
  }

  private async *under(prefix: string): AsyncGenerator<[string, string]> {
    const end = `${prefix.slice(0, -1)}0`;
    for await (const [key, value] of this.db.iterator({ gte: prefix, lt: end }))
      yield [key.slice(prefix.length), value];
  }
}
