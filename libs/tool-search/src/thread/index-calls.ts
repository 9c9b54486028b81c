import type { PackedGlosses } from '../glosses/chinese-glosses.js';
import type { SearchDocument } from '../document.js';
import type { SearchHit, SearchOptions } from '../tool-index.js';

/** Calls of others, which the thread of an index does in the order in which they were made. */
export interface IndexCalls {
  search(query: string, options: SearchOptions): SearchHit[];
  upsert(documents: readonly SearchDocument[]): void;
  remove(toolIds: readonly string[]): void;
  /** Documents of a bulk load, which the first ones begin: searched once it is finished. */
  addBulk(documents: readonly SearchDocument[]): void;
  finishBulk(): void;
  /** By term: how many tools hold it. */
  documentFrequenciesOf(terms: readonly string[]): number[];
  settled(): Promise<void>;
}

/** Reports that nobody asked for. */
export interface IndexReports {
  failed(error: unknown): void;
}

/** The data with which the thread begins. */
export interface IndexThreadData {
  readonly glosses?: PackedGlosses;
  readonly wordVectors: boolean;
}
