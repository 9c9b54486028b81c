import { isCjk } from '../text/words.js';
import { MAX_EMBEDDED_ROWS, MAX_EMBEDDED_TERMS } from '../vectors/word-vectors.js';
import type { WordVectors } from '../vectors/index.js';
import type { Dictionary } from './dictionary.js';
import type { Growing } from './growing.js';

const NOT_LOOKED_UP = 0;
const UNKNOWN = 1;
const FIRST_ROW = 2;
/** As `rowOf` and `rowOfPair` say it. */
const NO_ROW = -1;

/** Works out the directions of documents, one after the other, from the numbers of their terms. */
export class DocumentDirections {
  /** By term number: row of the word vectors, counted from `FIRST_ROW`. */
  private rowOfTerm = new Uint32Array(1_024);
  /** By row: its place in `rows`, counted from 1; 0 for one that the document at hand does not hold. */
  private readonly placeOfRow: Uint16Array;
  /** Rows of the document at hand, none twice, and how often each was said: what is said twice is meant. */
  private readonly rows = new Uint32Array(MAX_EMBEDDED_ROWS);
  private readonly counts = new Uint16Array(MAX_EMBEDDED_ROWS);
  private distinct = 0;
  private said = 0;

  constructor(
    private readonly dictionary: Dictionary,
    private readonly wordVectors: WordVectors,
  ) {
    this.placeOfRow = new Uint16Array(wordVectors.size);
  }

  get dimensions(): number {
    return this.wordVectors.dimensions;
  }

  /** Begins a document. */
  clear(): void {
    for (let place = 0; place < this.distinct; place += 1) this.placeOfRow[this.rows[place] ?? 0] = 0;
    this.distinct = 0;
    this.said = 0;
  }

  /** Takes in the terms of a field; the last one of it is no neighbour of the first of the next field. */
  add(terms: Uint32Array, length: number): void {
    this.fit();
    const { rowOfTerm, wordVectors } = this;
    let previous = NO_ROW;
    for (let at = 0; at < length && this.said < MAX_EMBEDDED_TERMS; at += 1) {
      const term = terms[at] ?? 0;
      let found = rowOfTerm[term] ?? NOT_LOOKED_UP;
      if (found === NOT_LOOKED_UP) {
        found = this.rowOf(this.dictionary.textOf(term)) + FIRST_ROW;
        rowOfTerm[term] = found;
      }
      if (found === UNKNOWN) continue;
      const row = found - FIRST_ROW;
      this.said += 1;
      this.count(row);
      const pair = previous === NO_ROW ? NO_ROW : wordVectors.rowOfPair(previous, row);
      if (pair !== NO_ROW) this.count(pair);
      previous = row;
    }
  }

  /** Adds the direction of the document at hand, `dimensions` numbers. */
  writeTo(vectors: Growing<Int8Array>): void {
    const at = vectors.reserve(this.wordVectors.dimensions);
    this.wordVectors.writeDirection(this.rows, this.counts, this.distinct, vectors.values, at);
  }

  private count(row: number): void {
    const { placeOfRow, rows, counts } = this;
    const place = placeOfRow[row] ?? 0;
    if (place === 0) {
      rows[this.distinct] = row;
      counts[this.distinct] = 1;
      this.distinct += 1;
      placeOfRow[row] = this.distinct;
    } else counts[place - 1] = (counts[place - 1] ?? 0) + 1;
  }

  /** Pairs of Chinese characters are not all words: a tool points where its English says. */
  private rowOf(text: string): number {
    return isCjk(text) ? NO_ROW : this.wordVectors.rowOf(text);
  }

  private fit(): void {
    if (this.rowOfTerm.length >= this.dictionary.size) return;
    const larger = new Uint32Array(2 * this.dictionary.size);
    larger.set(this.rowOfTerm);
    this.rowOfTerm = larger;
  }
}
