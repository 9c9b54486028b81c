import { searchFields, type SearchDocument, type SearchField, type ToolQuality } from '../document.js';
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
import { DocumentDirections } from './document-directions.js';
import { Growing } from './growing.js';
import { Occurrences } from './occurrences.js';
import { impactSteps, type Segment } from './segment.js';
import { signsOf } from './signs.js';
import { TermPlaces } from './term-places.js';
import { TermReader } from './term-reader.js';

/** Terms of a tool whose order is kept, to find pairs of words. */
const MAX_SEQUENCE_TERMS = 48;
const MAX_NAME_TERMS = 24;
const bitOf = Object.fromEntries(searchFields.map((field, bit) => [field, 1 << bit])) as Record<SearchField, number>;
/** The fields that say what a tool does; parameters and providers say it seldom. */
const embeddedFields: ReadonlySet<SearchField> = new Set<SearchField>(['name', 'description', 'category']);
const indexed = ['id', 'name', 'description', 'provider', 'category', 'params'] as const;

const uint32 = (length: number): Uint32Array => new Uint32Array(length);
const uint16 = (length: number): Uint16Array => new Uint16Array(length);
const uint8 = (length: number): Uint8Array => new Uint8Array(length);
const int8 = (length: number): Int8Array => new Int8Array(length);

const saturated = (occurrences: number, penalty: number): number =>
  Math.round((impactSteps * occurrences * (saturation + 1)) / (saturation * penalty + occurrences));

/**
 * Reads the texts of tools for one dictionary, and remembers the words that it has read. With the scratch space of a builder, which is as
 * large as the dictionary: a change of one tool takes none of its own. For one builder after the other, not for two at the same time.
 */
export class DocumentReader {
  readonly texts: TermReader;
  /** Reads names and keeps every word of them, so that a tool called `Get it` is found by its name. */
  readonly names: TermReader;
  readonly nameParts: TermReader;
  readonly found = new Occurrences();
  readonly places = new TermPlaces();
  readonly directions: DocumentDirections | undefined;

  constructor(
    readonly dictionary: Dictionary,
    wordVectors: WordVectors | undefined,
    documents: 'few' | 'many',
  ) {
    this.texts = new TermReader(dictionary, {}, documents);
    this.names = new TermReader(dictionary, { all: true }, documents);
    this.nameParts = new TermReader(dictionary, { all: true, compounds: false }, documents);
    this.directions = wordVectors === undefined ? undefined : new DocumentDirections(dictionary, wordVectors);
  }
}

/** Collects documents, each of another tool, into a segment. */
export class SegmentBuilder {
  private readonly toolIds: string[] = [];
  private readonly qualities: (ToolQuality | undefined)[] = [];
  /** Postings in order of documents. */
  private readonly terms = new Growing(uint32);
  private readonly fieldImpacts = new Growing(uint16);
  private readonly plainImpacts = new Growing(uint16);
  private readonly masks = new Growing(uint8);
  /** By document: where its postings end. */
  private readonly postingEnds = new Growing(uint32);
  private readonly sequence = new Growing(uint32);
  private readonly sequenceOffsets = new Growing(uint32);
  private readonly nameLengths = new Growing(uint8);
  private readonly vectors = new Growing(int8);

  constructor(private readonly reader: DocumentReader) {
    this.sequenceOffsets.push(0);
  }

  get size(): number {
    return this.toolIds.length;
  }

  add(document: SearchDocument): void {
    this.toolIds.push(document.toolId);
    this.qualities.push(document.quality);
    const { found, directions } = this.reader;
    found.clear();
    directions?.clear();
    this.addName(document);
    for (const field of indexed) this.addField(document, field);
    this.addFeedback(document);
    const plainPenalty = 1 - lengthPenalty + (lengthPenalty * found.plainLength) / typicalLength;
    for (const term of found.terms) {
      const plain = found.plain[term] ?? 0;
      this.terms.push(term);
      this.fieldImpacts.push(saturated(found.fields[term] ?? 0, 1));
      this.plainImpacts.push(plain === 0 ? 0 : saturated(plain, plainPenalty));
      this.masks.push(found.masks[term] ?? 0);
    }
    this.postingEnds.push(this.terms.length);
    this.sequenceOffsets.push(this.sequence.length);
    directions?.writeTo(this.vectors);
  }

  private addField(document: SearchDocument, field: Exclude<SearchField, 'feedback'>): void {
    const { found, dictionary, directions, names, texts } = this.reader;
    const reader = field === 'name' ? names : texts;
    reader.read(field === 'id' ? [document.toolId] : document[field]);
    const { numbers, length } = reader;
    const share =
      fieldWeights[field] / (1 - fieldLengthPenalty + (fieldLengthPenalty * length) / typicalLengths[field]);
    const plain = field === 'id' ? 0 : 1;
    const bit = bitOf[field];
    found.fit(dictionary);
    for (let at = 0; at < length; at += 1) found.add(numbers[at] ?? 0, share, plain, bit);
    if (field === 'description' || field === 'category') this.addToSequence(numbers, length);
    if (embeddedFields.has(field)) directions?.add(numbers, length);
  }

  /** Adds feedback terms with a weight that grows with the logarithm and has a limit. */
  private addFeedback({ feedback = [] }: SearchDocument): void {
    const { found, dictionary, texts } = this.reader;
    for (const { term, weight } of feedback) {
      const share = fieldWeights.feedback * Math.min(MAX_FEEDBACK_OCCURRENCES, Math.log2(1 + Math.max(0, weight)));
      texts.read([term]);
      found.fit(dictionary);
      const { numbers, length } = texts;
      for (let at = 0; at < length; at += 1) found.add(numbers[at] ?? 0, share, 0, bitOf.feedback);
    }
  }

  /** A compound as a whole is no word of the name: who says `news` has said all of `NewsTool`. */
  private addName(document: SearchDocument): void {
    const { nameParts } = this.reader;
    nameParts.read(document.name);
    const length = Math.min(MAX_NAME_TERMS, nameParts.length);
    this.addToSequence(nameParts.numbers, length);
    this.nameLengths.push(length);
  }

  private addToSequence(terms: Uint32Array, length: number): void {
    const room = MAX_SEQUENCE_TERMS - (this.sequence.length - (this.sequenceOffsets.values[this.size - 1] ?? 0));
    const end = Math.min(room, length);
    for (let at = 0; at < end; at += 1) this.sequence.push(terms[at] ?? 0);
  }

  /** The documents so far. The builder is not used any more. */
  build(): Segment {
    return {
      ...this.byTerm(),
      toolIds: this.toolIds,
      qualities: this.qualities,
      live: new Uint8Array(this.size).fill(1),
      sequence: this.sequence.trimmed(),
      sequenceOffsets: this.sequenceOffsets.trimmed(),
      nameLengths: this.nameLengths.trimmed(),
      ...this.meanings(),
    };
  }

  private meanings(): Pick<Segment, 'vectors' | 'signs'> {
    const { directions } = this.reader;
    if (directions === undefined) return { vectors: new Int8Array(0), signs: new Uint32Array(0) };
    const vectors = this.vectors.trimmed();
    return { vectors, signs: signsOf(vectors, directions.dimensions) };
  }

  /** Counting sort of the postings by term; those of a term stay in order of documents. */
  private byTerm(): Pick<Segment, 'terms' | 'offsets' | 'documents' | 'fieldImpacts' | 'plainImpacts' | 'fieldMasks'> {
    const { length: total, values: postings } = this.terms;
    const documents = uint32(total);
    const fieldImpacts = uint16(total);
    const plainImpacts = uint16(total);
    const fieldMasks = uint8(total);
    const [fields, plain, masks] = [this.fieldImpacts.values, this.plainImpacts.values, this.masks.values];
    const ends = this.postingEnds.values;
    return this.reader.places.of(postings, total, this.reader.dictionary.size, (terms, offsets, next) => {
      let at = 0;
      for (let document = 0; document < this.size; document += 1) {
        const end = ends[document] ?? 0;
        for (; at < end; at += 1) {
          const term = postings[at] ?? 0;
          const place = next[term] ?? 0;
          next[term] = place + 1;
          documents[place] = document;
          fieldImpacts[place] = fields[at] ?? 0;
          plainImpacts[place] = plain[at] ?? 0;
          fieldMasks[place] = masks[at] ?? 0;
        }
      }
      return { terms, offsets, documents, fieldImpacts, plainImpacts, fieldMasks };
    });
  }
}
