import { Worker } from 'node:worker_threads';
import { createBirpc, type BirpcReturn } from 'birpc';
import type { SearchDocument } from '../document.js';
import type { ChineseGlosses } from '../glosses/index.js';
import type { MergeFailure } from '../index/segmented-index.js';
import type { SearchHit, SearchOptions } from '../tool-index.js';
import type { IndexCalls, IndexReports, IndexThreadData } from './index-calls.js';

// The compiled file, also when this one runs from source.
const workerFile = new URL('../../dist/thread/worker.js', import.meta.url);

export interface ToolIndexThreadOptions {
  readonly glosses?: ChineseGlosses;
  /** Search by meaning, with the vectors that are shipped. */
  readonly wordVectors: boolean;
  /** As in `ToolIndexOptions`. */
  readonly onError?: MergeFailure;
  /** The thread ended and nobody asked it to; whatever it was asked has failed, and it answers nothing any more. */
  readonly onEnd: (error: Error) => void;
}

/** The thread that holds the index has ended. */
export class IndexEnded extends Error {}

/**
 * A `ToolIndex` in a thread of its own, so that searches, changes and merges hold up nothing else. Calls are answered in the order in which
 * they are made: a search that is asked for after a change finds it. The thread keeps no process alive.
 */
export class ToolIndexThread {
  private readonly thread: Worker;
  private readonly rpc: BirpcReturn<IndexCalls, IndexReports>;
  private ended: IndexEnded | undefined;
  private isClosing = false;

  constructor({ glosses, wordVectors, onError, onEnd }: ToolIndexThreadOptions) {
    const workerData: IndexThreadData = { wordVectors, ...(glosses === undefined ? {} : { glosses: glosses.packed }) };
    this.thread = new Worker(workerFile, { workerData });
    this.thread.unref();
    this.rpc = createBirpc<IndexCalls, IndexReports>(
      { failed: (error) => onError?.(error) },
      {
        post: (message) => this.thread.postMessage(message),
        on: (hear) => void this.thread.on('message', hear),
        timeout: -1,
      },
    );
    let cause: unknown;
    this.thread.once('error', (error) => (cause = error));
    this.thread.once('exit', (code) => {
      const error = new IndexEnded(`the thread of the search index ended with ${code}`, { cause });
      this.ended = error;
      this.rpc.$close(error);
      if (!this.isClosing) onEnd(error);
    });
  }

  /** As `ToolIndex.search`. */
  async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
    return this.calls().search(query, options);
  }

  async upsert(documents: readonly SearchDocument[]): Promise<void> {
    return this.calls().upsert(documents);
  }

  async remove(toolIds: readonly string[]): Promise<void> {
    return this.calls().remove(toolIds);
  }

  /** Documents of one load in parts, which are searched once `finishBulk` is called; there is one load at a time. */
  async addBulk(documents: readonly SearchDocument[]): Promise<void> {
    return this.calls().addBulk(documents);
  }

  async finishBulk(): Promise<void> {
    return this.calls().finishBulk();
  }

  /** By term: tools that hold it; a removed one counts for a while longer. */
  async documentFrequenciesOf(terms: readonly string[]): Promise<number[]> {
    return this.calls().documentFrequenciesOf(terms);
  }

  async settled(): Promise<void> {
    return this.calls().settled();
  }

  private calls(): BirpcReturn<IndexCalls, IndexReports> {
    if (this.ended !== undefined) throw this.ended;
    return this.rpc;
  }

  /** Ends the thread. Calls that are not answered yet fail. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.thread.terminate();
  }
}
