import { searchFields } from '../document.js';
import type { SearchDocument, SearchField, ToolQuality } from '../document.js';
import {
  fieldLengthPenalty,
  fieldWeights,
  lengthPenalty,
  MAX_FEEDBACK_OCCURRENCES,
  saturation,
  typicalLength,
  typicalLengths,
} from '../ranking/weights.js';
import type { WordVectors } from '../vectors/index.js';
import type { Dictionary } from './dictionary.js';
import { Growing } from './growing.js';
import { Occurrences } from './occurrences.js';
import { impactSteps } from './segment.js';
import type { Segment } from './segment.js';
import { TermReader } from './term-reader.js';

/** Terms of a tool whose order is kept, to find pairs of words. */
const MAX_SEQUENCE_TERMS = 48;
const MAX_NAME_TERMS = 24;
const bitOf = Object.fromEntries(searchFields.map((field, bit) => [field, 1 << bit])) as Record<SearchField, number>;
/** What says what a tool does; parameters and providers say it seldom. */
const embeddedFields: ReadonlySet<SearchField> = new Set<SearchField>(['name', 'description', 'category']);
/** Whose texts often come again as a whole. */
const repeatedFields: ReadonlySet<SearchField> = new Set<SearchField>(['provider', 'category', 'params']);
const indexed = ['id', 'name', 'description', 'provider', 'category', 'params'] as const;

const uint32 = (length: number): Uint32Array => new Uint32Array(length);
const uint16 = (length: number): Uint16Array => new Uint16Array(length);
const uint8 = (length: number): Uint8Array => new Uint8Array(length);

const saturated = (occurrences: number, penalty: number): number =>
  Math.round((impactSteps * occurrences * (saturation + 1)) / (saturation * penalty + occurrences));

/** Collects documents, each of another tool, into a segment. */
export class SegmentBuilder {
  private readonly toolIds: string[] = [];
  private readonly qualities: (ToolQuality | undefined)[] = [];
  /** Postings in order of documents. */
  private readonly terms = new Growing(uint32);
  private readonly documents = new Growing(uint32);
  private readonly fieldImpacts = new Growing(uint16);
  private readonly plainImpacts = new Growing(uint16);
  private readonly masks = new Growing(uint8);
  private readonly sequence = new Growing(uint32);
  private readonly sequenceOffsets = new Growing(uint32);
  private readonly nameLengths = new Growing(uint8);
  private readonly vectors = new Growing((length) => new Int8Array(length));

  private readonly found = new Occurrences();
  /** Terms of the document at hand that are embedded, with repetitions: what is said twice is meant. */
  private readonly embedded: string[] = [];
  private readonly reader: TermReader;
  /** Of the name every word is kept, so that a tool called `Get it` is found by its name. */
  private readonly nameReader: TermReader;
  private readonly namePartReader: TermReader;

  constructor(
    private readonly dictionary: Dictionary,
    private readonly wordVectors: WordVectors | undefined,
    documents: 'few' | 'many',
  ) {
    this.reader = new TermReader(dictionary, {}, documents);
    this.nameReader = new TermReader(dictionary, { all: true }, documents);
    this.namePartReader = new TermReader(dictionary, { all: true, compounds: false }, documents);
    this.sequenceOffsets.push(0);
  }

  get size(): number {
    return this.toolIds.length;
  }

  add(document: SearchDocument): void {
    this.toolIds.push(document.toolId);
    this.qualities.push(document.quality);
    const { found } = this;
    found.clear();
    this.embedded.length = 0;
    this.addName(document);
    for (const field of indexed) this.addField(document, field);
    this.addFeedback(document);
    const plainPenalty = 1 - lengthPenalty + (lengthPenalty * found.plainLength) / typicalLength;
    for (const term of found.terms) {
      const plain = found.plain[term] ?? 0;
      this.terms.push(term);
      this.documents.push(this.size - 1);
      this.fieldImpacts.push(saturated(found.fields[term] ?? 0, 1));
      this.plainImpacts.push(plain === 0 ? 0 : saturated(plain, plainPenalty));
      this.masks.push(found.masks[term] ?? 0);
    }
    this.sequenceOffsets.push(this.sequence.length);
    if (this.wordVectors !== undefined) this.addVector(this.wordVectors);
  }

  private addField(document: SearchDocument, field: Exclude<SearchField, 'feedback'>): void {
    const texts = field === 'id' ? [document.toolId] : document[field];
    const reader = field === 'name' ? this.nameReader : this.reader;
    const read = texts.map((text) => reader.read(text, repeatedFields.has(field)));
    const length = read.reduce((sum, terms) => sum + terms.length, 0);
    const share =
      fieldWeights[field] / (1 - fieldLengthPenalty + (fieldLengthPenalty * length) / typicalLengths[field]);
    this.found.fit(this.dictionary);
    for (const terms of read) {
      for (const term of terms) this.found.add(term, share, field === 'id' ? 0 : 1, bitOf[field]);
      if (field === 'description' || field === 'category') this.addToSequence(terms);
      if (this.wordVectors !== undefined && embeddedFields.has(field)) {
        for (const term of terms) this.embedded.push(this.dictionary.textOf(term));
      }
    }
  }

  /** However many searches there were, they count little. */
  private addFeedback({ feedback = [] }: SearchDocument): void {
    for (const { term, weight } of feedback) {
      const share = fieldWeights.feedback * Math.min(MAX_FEEDBACK_OCCURRENCES, Math.log2(1 + Math.max(0, weight)));
      const terms = this.reader.read(term);
      this.found.fit(this.dictionary);
      for (const number of terms) this.found.add(number, share, 0, bitOf.feedback);
    }
  }

  /** A compound as a whole is no word of the name: who says `news` has said all of `NewsTool`. */
  private addName(document: SearchDocument): void {
    let length = 0;
    for (const text of document.name) {
      const terms = this.namePartReader.read(text).slice(0, MAX_NAME_TERMS - length);
      length += terms.length;
      this.addToSequence(terms);
    }
    this.nameLengths.push(length);
  }

  private addToSequence(terms: readonly number[]): void {
    const start = this.sequenceOffsets.values[this.size - 1] ?? 0;
    for (const term of terms) if (this.sequence.length - start < MAX_SEQUENCE_TERMS) this.sequence.push(term);
  }

  private addVector(wordVectors: WordVectors): void {
    const from = this.vectors.reserve(wordVectors.dimensions);
    const direction = wordVectors.embedText(this.embedded);
    if (direction === undefined) return;
    const { values } = this.vectors;
    for (let i = 0; i < direction.length; i += 1) values[from + i] = Math.round(127 * (direction[i] ?? 0));
  }

  /** The documents so far. The builder is not used any more. */
  build(): Segment {
    const order = this.sortedByTerm();
    const total = order.length;
    const terms = new Growing(uint32);
    const offsets = new Growing(uint32);
    const segment = {
      documents: new Uint32Array(total),
      fieldImpacts: new Uint16Array(total),
      plainImpacts: new Uint16Array(total),
      fieldMasks: new Uint8Array(total),
    };
    let previous = -1;
    for (let at = 0; at < total; at += 1) {
      const from = order[at] ?? 0;
      const term = this.terms.values[from] ?? 0;
      if (term !== previous) {
        terms.push(term);
        offsets.push(at);
        previous = term;
      }
      segment.documents[at] = this.documents.values[from] ?? 0;
      segment.fieldImpacts[at] = this.fieldImpacts.values[from] ?? 0;
      segment.plainImpacts[at] = this.plainImpacts.values[from] ?? 0;
      segment.fieldMasks[at] = this.masks.values[from] ?? 0;
    }
    offsets.push(total);
    return {
      ...segment,
      toolIds: this.toolIds,
      qualities: this.qualities,
      live: new Uint8Array(this.size).fill(1),
      terms: terms.trimmed(),
      offsets: offsets.trimmed(),
      sequence: this.sequence.trimmed(),
      sequenceOffsets: this.sequenceOffsets.trimmed(),
      nameLengths: this.nameLengths.trimmed(),
      vectors: this.vectors.trimmed(),
    };
  }

  /** Counting sort of the postings by term; those of a term stay in order of documents. */
  private sortedByTerm(): Uint32Array {
    const { values, length } = this.terms;
    const next = new Uint32Array(this.dictionary.size + 1);
    for (let at = 0; at < length; at += 1) {
      const after = (values[at] ?? 0) + 1;
      next[after] = (next[after] ?? 0) + 1;
    }
    for (let term = 1; term < next.length; term += 1) next[term] = (next[term] ?? 0) + (next[term - 1] ?? 0);
    const order = new Uint32Array(length);
    for (let at = 0; at < length; at += 1) {
      const term = values[at] ?? 0;
      const place = next[term] ?? 0;
      order[place] = at;
      next[term] = place + 1;
    }
    return order;
  }
}
