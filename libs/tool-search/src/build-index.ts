import { fieldWeights, searchFields, textOf } from './document.js';
import type { SearchDocument, SearchField } from './document.js';
import { documentTerms } from './tokenize.js';

/** BM25: how soon repeated occurrences stop to count, and how much a long text is held against a document. */
export const k1 = 1.2;
const lengthPenalty = 0.6;

/** The postings of term `t` are the entries `offsets[t]` to `offsets[t + 1]` of the three posting arrays. */
export interface InvertedIndex {
  /** In ascending order of code units, so that the smaller index is the smaller id. */
  readonly toolIds: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  readonly termNumbers: ReadonlyMap<string, number>;
  readonly offsets: Uint32Array;
  readonly documents: Uint32Array;
  /** What the posting adds to the score of its document. */
  readonly impacts: Float32Array;
  /** Bit i: the term stands in `searchFields[i]`. */
  readonly fieldMasks: Uint8Array;
  /** The most that a term can add to a score, by term. */
  readonly ceilings: Float32Array;
}

interface Posting {
  readonly document: number;
  frequency: number;
  mask: number;
}

/** Inverse document frequency; never negative, and above 0 even for a term of every document. */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Duplicated tool ids: the last document wins. */
export function buildIndex(source: readonly SearchDocument[]): InvertedIndex {
  const byId = new Map(source.map((document) => [document.toolId, document]));
  const documents = [...byId.values()].sort((a, b) => (a.toolId < b.toolId ? -1 : 1));
  const postings = collectPostings(documents);
  const total = [...postings.values()].reduce((sum, list) => sum + list.length, 0);
  const index = {
    toolIds: documents.map((document) => document.toolId),
    positions: new Map(documents.map((document, position) => [document.toolId, position])),
    termNumbers: new Map<string, number>(),
    offsets: new Uint32Array(postings.size + 1),
    documents: new Uint32Array(total),
    impacts: new Float32Array(total),
    fieldMasks: new Uint8Array(total),
    ceilings: new Float32Array(postings.size),
  };
  let at = 0;
  for (const [term, list] of postings) {
    const number = index.termNumbers.size;
    index.termNumbers.set(term, number);
    const idf = inverseDocumentFrequency(documents.length, list.length);
    index.ceilings[number] = idf * (k1 + 1);
    for (const posting of list) {
      index.documents[at] = posting.document;
      index.impacts[at] = (idf * posting.frequency * (k1 + 1)) / (k1 + posting.frequency);
      index.fieldMasks[at] = posting.mask;
      at += 1;
    }
    index.offsets[number + 1] = at;
  }
  return index;
}

/** BM25F: the frequencies of the fields are weighted and normalised by field length, then added, then saturated once. */
function collectPostings(documents: readonly SearchDocument[]): Map<string, Posting[]> {
  const terms = documents.map((document) => searchFields.map((field) => documentTerms(textOf(document, field))));
  const averages = searchFields.map((_, field) => {
    const total = terms.reduce((sum, fields) => sum + (fields[field]?.length ?? 0), 0);
    return Math.max(1, total / Math.max(1, documents.length));
  });
  const postings = new Map<string, Posting[]>();
  terms.forEach((fields, document) => {
    searchFields.forEach((field, fieldNumber) => {
      const list = fields[fieldNumber] ?? [];
      const share = occurrenceShare(field, list.length, averages[fieldNumber] ?? 1);
      for (const term of list) addOccurrence(postings, term, document, share, 1 << fieldNumber);
    });
  });
  return postings;
}

function occurrenceShare(field: SearchField, length: number, average: number): number {
  return fieldWeights[field] / (1 - lengthPenalty + (lengthPenalty * length) / average);
}

/** Documents come in ascending order, so a posting that exists already is the last one of its term. */
function addOccurrence(
  postings: Map<string, Posting[]>,
  term: string,
  document: number,
  share: number,
  bit: number,
): void {
  let list = postings.get(term);
  if (list === undefined) postings.set(term, (list = []));
  const last = list.at(-1);
  if (last?.document === document) {
    last.frequency += share;
    last.mask |= bit;
  } else list.push({ document, frequency: share, mask: bit });
}
