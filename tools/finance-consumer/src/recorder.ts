import { balances, streams, type Stream } from './streams.js';
import { createFolders, publishSegment, removeUnfinished, writeSegment, type Row } from './files/segment-files.js';
import { placeRecord, type Head, type Incoming } from './records/place-record.js';
import { readRecord } from './records/read-record.js';
import { addTo, type Tally } from './records/totals.js';
import { headKey, State, type KnownBalance, type Problem } from './state/state.js';

/** A record as Kafka delivers it. */
export interface Delivered {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** `ce_type`. */
  readonly type: string | undefined;
  readonly value: Buffer | null;
}

export interface RecorderOptions {
  /** Rows, of all streams together, after which files are written. */
  readonly segmentRows: number;
}

/** Bytes of values after which files are written, whatever the number of rows. */
const SEGMENT_BYTES = 16 * 1_048_576;
/** Problems after which a run gives up: something is wrong that a person must see. */
const MAX_PROBLEMS = 1_000;

/**
 * Takes records in and writes files. What is in memory is one segment; `flush` stores rows, heads, totals and offsets as
 * one, so a process that dies at any point goes on where the last flush ended.
 */
export class Recorder {
  private readonly rows = new Map<Stream['name'], Row[]>(streams.map(({ name }) => [name, []]));
  private readonly heads = new Map<string, { stream: Stream['name']; accountId: string; head: Head }>();
  private readonly balances = new Map<string, KnownBalance>();
  private readonly changedOffsets = new Map<string, bigint>();
  private problems: Problem[] = [];
  /** Flushes that stored something. */
  commits = 0;
  private bytes = 0;
  private taken = 0;

  private constructor(
    private readonly folder: string,
    readonly state: State,
    private readonly options: RecorderOptions,
    private readonly offsets: Map<string, bigint>,
    private readonly totals: Map<Stream['name'], Map<string, Tally>>,
    private readonly segments: Map<Stream['name'], number>,
    private problemCount: number,
  ) {}

  /** Opens or begins a folder, and finishes what a crash interrupted. Throws where another process works in it. */
  static async open(folder: string, options: RecorderOptions): Promise<Recorder> {
    createFolders(folder);
    const state = await State.open(folder);
    const [totals, segments] = [new Map<Stream['name'], Map<string, Tally>>(), new Map<Stream['name'], number>()];
    for (const { name } of streams) {
      totals.set(name, await state.totals(name));
      segments.set(name, await state.lastSegment(name));
      await publishSegment(folder, name, segments.get(name) ?? 0);
    }
    await removeUnfinished(folder);
    return new Recorder(folder, state, options, await state.offsets(), totals, segments, await state.problemCount());
  }

  /** The next offset to read of a partition; 0 where nothing was read. */
  next(topic: string, partition: number): bigint {
    const key = `${topic}/${partition}`;
    return this.changedOffsets.get(key) ?? this.offsets.get(key) ?? 0n;
  }

  /** The next offset of each partition, by `topic/partition`, as it is on disk. */
  storedOffsets(): ReadonlyMap<string, bigint> {
    return this.offsets;
  }

  /** Everything before `offset` was read, or holds no records. */
  passed(topic: string, partition: number, offset: bigint): void {
    if (offset > this.next(topic, partition)) this.changedOffsets.set(`${topic}/${partition}`, offset);
  }

  /** In the order of the partition. Offsets that were taken before are passed over. */
  async take(records: readonly Delivered[]): Promise<void> {
    for (let start = 0; start < records.length;) {
      const chunk = records.slice(start, start + Math.max(1, this.options.segmentRows - this.taken));
      await this.takeChunk(chunk);
      start += chunk.length;
      if (this.taken >= this.options.segmentRows || this.bytes >= SEGMENT_BYTES) await this.flush();
    }
  }

  /** Stores what was taken; nothing where nothing was. */
  async flush(): Promise<void> {
    const offsets = new Map(this.changedOffsets);
    const stored = streams.filter(({ name }) => (this.rows.get(name)?.length ?? 0) > 0);
    if (offsets.size === 0) return;
    const segments = new Map(stored.map(({ name }) => [name, (this.segments.get(name) ?? 0) + 1]));
    for (const stream of stored) {
      await writeSegment(this.folder, stream, segments.get(stream.name) ?? 0, this.rows.get(stream.name) ?? []);
    }
    await this.state.commit({
      offsets,
      heads: this.heads,
      balances: this.balances,
      totals: new Map(stored.map(({ name }) => [name, this.totals.get(name) ?? new Map()])),
      segments,
      problems: this.problems,
      firstProblem: this.problemCount,
    });
    for (const [name, segment] of segments) {
      await publishSegment(this.folder, name, segment);
      this.segments.set(name, segment);
      this.rows.set(name, []);
    }
    for (const [key, offset] of offsets) this.offsets.set(key, offset);
    this.changedOffsets.clear();
    this.heads.clear();
    this.balances.clear();
    this.problemCount += this.problems.length;
    this.problems = [];
    this.bytes = 0;
    this.taken = 0;
    this.commits += 1;
    if (this.problemCount > MAX_PROBLEMS) throw new Error(`${this.problemCount} problems: see the report`);
  }

  private async takeChunk(records: readonly Delivered[]): Promise<void> {
    const [first] = records;
    if (first === undefined) return;
    const stream = streams.find(({ topic }) => topic === first.topic);
    const { columns, eventType } = stream ?? balances;
    const read = records
      .filter(({ offset }) => BigInt(offset) >= this.next(first.topic, first.partition))
      .map((record) => ({ record, content: readRecord(columns, eventType, record) }));
    if (stream !== undefined)
      await this.loadHeads(
        stream,
        read.flatMap(({ content }) => accountOf(content) ?? []),
      );
    for (const { record, content } of read) {
      if (content.kind === 'malformed') this.problem(record, content.detail);
      if (content.kind === 'record') {
        if (stream === undefined) this.takeBalance(content.cells);
        else this.takeRow(stream, record, content.cells);
      }
      this.taken += 1;
      this.bytes += record.value?.length ?? 0;
      this.passed(record.topic, record.partition, BigInt(record.offset) + 1n);
    }
  }

  private takeRow(stream: Stream, record: Delivered, row: Row): void {
    const accountId = String(row.get('accountId'));
    const key = headKey(stream.name, accountId);
    const placed = placeRecord(this.heads.get(key)?.head, incoming(stream, row));
    if (placed.kind !== 'duplicate' && placed.problem !== undefined) this.problem(record, placed.problem);
    if (placed.kind !== 'new') return;
    this.heads.set(key, { stream: stream.name, accountId, head: placed.head });
    this.rows.get(stream.name)?.push(row);
    const totals = this.totals.get(stream.name);
    if (totals !== undefined) addTo(totals, String(row.get(stream.group)), row.get(stream.amount) as bigint);
  }

  private takeBalance(row: Row): void {
    const known = { entrySeq: Number(row.get('entrySeq')), balance: String(row.get('balanceMicroCredits')) };
    this.balances.set(String(row.get('accountId')), known);
  }

  /** Loads the heads of accounts that the segment in memory has not met yet. */
  private async loadHeads(stream: Stream, accounts: readonly string[]): Promise<void> {
    const wanted = [...new Set(accounts)].filter((accountId) => !this.heads.has(headKey(stream.name, accountId)));
    const found = await this.state.heads(wanted.map((accountId) => headKey(stream.name, accountId)));
    wanted.forEach((accountId, index) => {
      const head = found[index];
      if (head !== undefined) this.heads.set(headKey(stream.name, accountId), { stream: stream.name, accountId, head });
    });
  }

  private problem({ topic, partition, offset }: Delivered, detail: string): void {
    this.problems.push({ topic, partition, offset, detail });
  }
}

function accountOf(content: ReturnType<typeof readRecord>): string | undefined {
  return content.kind === 'record' ? String(content.cells.get('accountId')) : undefined;
}

function incoming(stream: Stream, row: Row): Incoming {
  const text = (member: string): string => String(row.get(member));
  return {
    seq: Number(row.get(stream.sequence)),
    id: text(stream.identity),
    ...(stream.name === 'ledger-entries'
      ? {
          chain: {
            hash: text('hash'),
            previousHash: text('previousHash'),
            balanceBefore: text('balanceBeforeMicroCredits'),
            balance: text('balanceAfterMicroCredits'),
          },
        }
      : {}),
  };
}
