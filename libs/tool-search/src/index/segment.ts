import type { ToolQuality } from '../document.js';
import { maxImpact } from '../ranking/weights.js';
import type { Dictionary } from './dictionary.js';

/**
 * A part of an index; immutable but for `live`. The postings of `terms[i]` are the entries `offsets[i]` to
 * `offsets[i + 1]` of the posting arrays, in ascending order of documents.
 */
export interface Segment {
  readonly toolIds: readonly string[];
  readonly qualities: readonly (ToolQuality | undefined)[];
  /** 0: removed or replaced. */
  readonly live: Uint8Array;
  /** Term numbers of the dictionary, ascending. */
  readonly terms: Uint32Array;
  readonly offsets: Uint32Array;
  readonly documents: Uint32Array;
  /** The share of the posting in the score of its document, before the rarity of the term: BM25F and plain BM25. */
  readonly fieldImpacts: Uint16Array;
  readonly plainImpacts: Uint16Array;
  /** Bit i: the term stands in `searchFields[i]`. */
  readonly fieldMasks: Uint8Array;
  /** Term numbers of the name, then of the description and the categories, by document. */
  readonly sequence: Uint32Array;
  readonly sequenceOffsets: Uint32Array;
  readonly nameLengths: Uint8Array;
  /** Directions of the documents, `dimensions` values each, 127 standing for 1. Empty without word vectors. */
  readonly vectors: Int8Array;
  /** Signs of `vectors`, `SIGN_WORDS` words a document, by which likely neighbours are found in a glance. */
  readonly signs: Uint32Array;
}

/** An impact of 1 in the 16 bits of a posting. */
export const impactSteps = Math.floor(0xffff / maxImpact);

/** Position of a term in `segment.terms`, or -1. */
export function slotOf({ terms }: Segment, term: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? low : -1;
}

/** Position of the posting of a document among those of a term, or -1. */
export function postingOf(segment: Segment, term: number, document: number): number {
  const slot = slotOf(segment, term);
  if (slot === -1) return -1;
  let low = segment.offsets[slot] ?? 0;
  const end = segment.offsets[slot + 1] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segment.documents[middle] ?? 0) < document) low = middle + 1;
    else high = middle;
  }
  return low < end && segment.documents[low] === document ? low : -1;
}

/** `sign` 1 when the segment joins the index, -1 when it leaves. */
export function countTerms(dictionary: Dictionary, { terms, offsets }: Segment, sign: 1 | -1): void {
  for (let slot = 0; slot < terms.length; slot += 1) {
    const postings = (offsets[slot + 1] ?? 0) - (offsets[slot] ?? 0);
    dictionary.countDocuments(terms[slot] ?? 0, sign * postings);
  }
}
