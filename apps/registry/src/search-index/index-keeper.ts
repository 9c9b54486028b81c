import { delay } from '@capability-router/service-kit';
import {
  IndexEnded,
  type SearchDocument,
  type SearchHit,
  type SearchOptions,
  type ToolIndexThread,
} from '@capability-router/tool-search';

/** Milliseconds; each index that cannot be built doubles the wait. */
const FIRST_REBUILD_MS = 100;
const MAX_REBUILD_MS = 30_000;

/** `onEnd` hears when the thread ends unasked. */
export type OpenIndex = (onEnd: (error: Error) => void) => ToolIndexThread;

/** As those of `ToolIndexThread`. */
export type IndexChanges = Pick<ToolIndexThread, 'upsert' | 'remove' | 'addBulk' | 'finishBulk'>;

/**
 * The thread of the index. Changes are made one after the other. A thread that ends, because memory was short or by a fault, is followed by another,
 * which is given all documents again; searches fail until then.
 */
export class IndexKeeper {
  private index: ToolIndexThread;
  private changing: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  private ends = 0;
  private hasAll = true;
  private readonly changes: IndexChanges = {
    upsert: (documents) => unlessEnded(this.index.upsert(documents)),
    remove: (toolIds) => unlessEnded(this.index.remove(toolIds)),
    addBulk: (documents) => unlessEnded(this.index.addBulk(documents)),
    finishBulk: () => unlessEnded(this.index.finishBulk()),
  };

  /** `documents`: all that the index is to hold, in parts. */
  constructor(
    private readonly openIndex: OpenIndex,
    private readonly documents: () => AsyncIterable<readonly SearchDocument[]>,
    private readonly onIndexEnd: (error: Error) => void = () => undefined,
  ) {
    this.index = this.open();
  }

  /** False while the index is built anew. */
  get isWhole(): boolean {
    return this.hasAll;
  }

  /** Rejects with `IndexEnded` while the index is built anew. */
  async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
    return this.whole().search(query, options);
  }

  /** Rejects as `search`. */
  async documentFrequenciesOf(terms: readonly string[]): Promise<number[]> {
    return this.whole().documentFrequenciesOf(terms);
  }

  /** Makes a change after those before it. What the end of the thread interrupts is in the documents that the next one is given. */
  change(make: (index: IndexChanges) => Promise<void>): Promise<void> {
    return this.inTurn(() => make(this.changes));
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.changing;
    await this.index.close();
  }

  private whole(): ToolIndexThread {
    if (!this.hasAll) throw new IndexEnded('the search index is being built anew');
    return this.index;
  }

  private open(): ToolIndexThread {
    return this.openIndex((error) => this.buildAnew(error));
  }

  private buildAnew(reason: Error): void {
    this.hasAll = false;
    this.onIndexEnd(reason);
    const waitMs = Math.min(MAX_REBUILD_MS, FIRST_REBUILD_MS * 2 ** this.ends);
    this.ends += 1;
    void this.inTurn(() => this.rebuild(waitMs));
  }

  /** Never rejects. */
  private async rebuild(waitMs: number): Promise<void> {
    await delay(waitMs, this.closing.signal);
    if (this.closing.signal.aborted) return;
    let index: ToolIndexThread | undefined;
    try {
      index = this.open();
      this.index = index;
      await fill(index, this.documents());
    } catch (error) {
      // It has ended as well, and the next one is on its way.
      if (error instanceof IndexEnded) return;
      // No thread can be started, or the documents cannot be read now: a part of them is no index.
      await index?.close();
      this.buildAnew(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.ends = 0;
    this.hasAll = true;
  }

  private inTurn(change: () => Promise<void>): Promise<void> {
    const changed = this.changing.then(change);
    this.changing = changed.catch(() => undefined);
    return changed;
  }
}

/** Gives an index all documents of one load. The next part is made while the index takes in the one before. */
export async function fill(
  index: Pick<IndexChanges, 'addBulk' | 'finishBulk'>,
  parts: AsyncIterable<readonly SearchDocument[]>,
): Promise<void> {
  let taking: Promise<void> = Promise.resolve();
  for await (const part of parts) {
    const before = taking;
    taking = index.addBulk(part);
    // It is awaited with the next part; until then its failure is nobody's.
    taking.catch(() => undefined);
    await before;
  }
  await taking;
  await index.finishBulk();
}

async function unlessEnded(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof IndexEnded)) throw error;
  }
}
