import { buildIndex, inverseDocumentFrequency, k1 } from './build-index.js';
import type { InvertedIndex } from './build-index.js';
import { searchFields } from './document.js';
import type { SearchDocument, SearchField } from './document.js';
import { queryTerms } from './tokenize.js';
import type { QueryTerm } from './tokenize.js';

/** Distinct terms of a query that are looked up; the rest is ignored. */
export const MAX_QUERY_TERMS = 64;

export interface SearchHit {
  readonly toolId: string;
  /** BM25, above 0; comparable within one answer only. Of an exact tool id: the largest that there is, 1. */
  readonly score: number;
  /** 0 to 1: the part that was reached of what the query could reach at most. 1 for an exact tool id. */
  readonly finalScore: number;
  readonly exact: boolean;
  /** The words of the query (pairs of characters in CJK) that were found, heaviest first, with the fields that hold them. */
  readonly matches: readonly { readonly word: string; readonly fields: readonly SearchField[] }[];
}

/** An immutable index in memory; a changed catalogue is a new index. */
export class ToolIndex {
  private readonly index: InvertedIndex;
  /** Scratch space of one search. A search is synchronous, so there is never a second one at the same time. */
  private readonly scores: Float64Array;
  private readonly strong: Uint8Array;

  constructor(documents: readonly SearchDocument[]) {
    this.index = buildIndex(documents);
    this.scores = new Float64Array(this.index.toolIds.length);
    this.strong = new Uint8Array(this.index.toolIds.length);
  }

  get size(): number {
    return this.index.toolIds.length;
  }

  /**
   * The best `limit` tools, best first, ties by tool id; nothing when nothing matches. A query that is a tool id of the
   * index finds that tool alone.
   */
  search(query: string, limit: number): SearchHit[] {
    const exactId = query.trim().normalize('NFKC').toLowerCase();
    if (this.index.positions.has(exactId)) {
      return [{ toolId: exactId, score: 1, finalScore: 1, exact: true, matches: [] }];
    }
    const terms = queryTerms(query, MAX_QUERY_TERMS);
    const touched = this.accumulate(terms);
    const best = touched
      .filter((document) => this.strong[document] === 1)
      .sort((a, b) => (this.scores[b] ?? 0) - (this.scores[a] ?? 0) || a - b)
      .slice(0, limit);
    const ceiling = this.ceilingOf(terms);
    const hits = best.map((document) => this.toHit(document, terms, ceiling));
    for (const document of touched) {
      this.scores[document] = 0;
      this.strong[document] = 0;
    }
    return hits;
  }

  private accumulate(terms: readonly QueryTerm[]): number[] {
    const touched: number[] = [];
    for (const { term, weight, weak } of terms) {
      const [from, to] = this.postingsOf(term);
      for (let at = from; at < to; at += 1) {
        const document = this.index.documents[at] ?? 0;
        const before = this.scores[document] ?? 0;
        if (before === 0) touched.push(document);
        this.scores[document] = before + weight * (this.index.impacts[at] ?? 0);
        if (!weak) this.strong[document] = 1;
      }
    }
    return touched;
  }

  private postingsOf(term: string): readonly [number, number] {
    const number = this.index.termNumbers.get(term);
    if (number === undefined) return [0, 0];
    return [this.index.offsets[number] ?? 0, this.index.offsets[number + 1] ?? 0];
  }

  /** A term that no document has counts as the rarest one, so that a half-understood query never scores like a full hit. */
  private ceilingOf(terms: readonly QueryTerm[]): number {
    const rarest = inverseDocumentFrequency(this.size, 1) * (k1 + 1);
    return terms.reduce((sum, { term, weight }) => {
      const number = this.index.termNumbers.get(term);
      return sum + weight * (number === undefined ? rarest : (this.index.ceilings[number] ?? rarest));
    }, 0);
  }

  private toHit(document: number, terms: readonly QueryTerm[], ceiling: number): SearchHit {
    const score = this.scores[document] ?? 0;
    const matches = terms
      .filter(({ weak }) => !weak)
      .map(({ term, surface, weight }) => ({ surface, weight, at: this.postingAt(term, document) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => b.weight * (this.index.impacts[b.at] ?? 0) - a.weight * (this.index.impacts[a.at] ?? 0))
      .map(({ surface, at }) => ({ word: surface, fields: this.fieldsAt(at) }));
    return {
      toolId: this.index.toolIds[document] ?? '',
      score,
      finalScore: ceiling === 0 ? 0 : Math.min(1, score / ceiling),
      exact: false,
      matches,
    };
  }

  /** Postings of a term are in ascending order of documents. */
  private postingAt(term: string, document: number): number {
    let [low, high] = this.postingsOf(term);
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.index.documents[middle] ?? 0) < document) low = middle + 1;
      else high = middle;
    }
    return low < end && this.index.documents[low] === document ? low : -1;
  }

  private fieldsAt(at: number): SearchField[] {
    const mask = this.index.fieldMasks[at] ?? 0;
    return searchFields.filter((_, field) => (mask & (1 << field)) !== 0);
  }
}
