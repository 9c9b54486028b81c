import { setImmediate } from 'node:timers/promises';
import type { SearchDocument } from '../document.js';
import type { WordVectors } from '../vectors/index.js';
import { Dictionary } from './dictionary.js';
import { mergeSegments, type MergedSegment } from './merge-segments.js';
import { countTerms, type Segment } from './segment.js';
import { DocumentReader, SegmentBuilder } from './segment-builder.js';

/** Postings up to which segments are merged at once; beyond it in the background, in steps. */
const IMMEDIATE_MERGE_POSTINGS = 60_000;
/** Locations brought up to a merge between two pauses; well below a millisecond of work. */
const LOCATIONS_PER_STEP = 2_000;
/** From here on it pays to remember many words while a segment is built. */
const MANY_DOCUMENTS = 500;

/** Hears of a merge in the background that failed. */
export type MergeFailure = (error: unknown) => void;

const warn: MergeFailure = (error) => {
  process.emitWarning(`parts of the tool index were not merged: ${String(error)}`);
};

export interface Location {
  segment: Segment;
  document: number;
}

/** Documents that come in parts, each of another tool. */
export interface BulkLoad {
  add(documents: readonly SearchDocument[]): void;
  finish(): void;
}

/**
 * Segments, the largest first. A change adds a small one; segments of about the same size are merged, so that there are
 * never more than about the logarithm of the number of tools.
 */
export class SegmentedIndex {
  readonly dictionary = new Dictionary();
  private readonly locations = new Map<string, Location>();
  private parts: readonly Segment[] = [];
  private merging: Promise<void> | undefined;
  /** By segment that a merge has replaced: where its documents are now, until every location says so itself. */
  private readonly replaced = new Map<Segment, Replacement>();
  /** Reads changes: it remembers words from one to the next. */
  private readonly reader: DocumentReader;

  constructor(
    private readonly wordVectors: WordVectors | undefined,
    private readonly onError: MergeFailure = warn,
  ) {
    this.reader = new DocumentReader(this.dictionary, wordVectors, 'few');
  }

  get size(): number {
    return this.locations.size;
  }

  get segments(): readonly Segment[] {
    return this.parts;
  }

  locate(toolId: string): Readonly<Location> | undefined {
    const location = this.locations.get(toolId);
    if (location !== undefined) this.bringUp(location);
    return location;
  }

  /** Adds documents, or replaces those of the same tools. Where a tool comes twice, its last document counts. */
  upsert(documents: readonly SearchDocument[]): void {
    if (documents.length === 0) return;
    const builder = new SegmentBuilder(documents.length > MANY_DOCUMENTS ? this.readerOfMany() : this.reader);
    for (const document of new Map(documents.map((document) => [document.toolId, document])).values())
      builder.add(document);
    this.join(builder.build());
  }

  startBulk(): BulkLoad {
    const builder = new SegmentBuilder(this.readerOfMany());
    return {
      add: (documents) => {
        for (const document of documents) builder.add(document);
      },
      finish: () => {
        if (builder.size > 0) this.join(builder.build());
      },
    };
  }

  private readerOfMany(): DocumentReader {
    return new DocumentReader(this.dictionary, this.wordVectors, 'many');
  }

  private join(segment: Segment): void {
    this.remove(segment.toolIds);
    segment.toolIds.forEach((toolId, document) => this.locations.set(toolId, { segment, document }));
    countTerms(this.dictionary, segment, 1);
    this.parts = [...this.parts, segment].sort((a, b) => b.documents.length - a.documents.length);
    this.tidy();
  }

  /** Unknown ids are no matter. */
  remove(toolIds: readonly string[]): void {
    for (const toolId of toolIds) {
      const location = this.locate(toolId);
      if (location === undefined) continue;
      location.segment.live[location.document] = 0;
      this.locations.delete(toolId);
    }
  }

  /** Resolves when no merge is under way. */
  async settled(): Promise<void> {
    while (this.merging !== undefined) await this.merging;
  }

  private tidy(): void {
    for (let found = this.mergeable(); found !== undefined; found = this.mergeable()) {
      const postings = found.reduce((sum, { documents }) => sum + documents.length, 0);
      if (postings > IMMEDIATE_MERGE_POSTINGS) {
        this.mergeInBackground(found);
        return;
      }
      const steps = mergeSegments(found);
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      this.replace(found, step.value);
      for (const at of this.relocations(found)) void at;
    }
  }

  /** The smallest segments, as soon as one is less than twice what is smaller together. */
  private mergeable(): readonly Segment[] | undefined {
    if (this.merging !== undefined) return undefined;
    let smaller = 0;
    for (let at = this.parts.length - 1; at >= 0; at -= 1) {
      const size = this.parts[at]?.documents.length ?? 0;
      if (at < this.parts.length - 1 && size < 2 * smaller) return this.parts.slice(at);
      smaller += size;
    }
    return undefined;
  }

  private mergeInBackground(sources: readonly Segment[]): void {
    const run = async (): Promise<void> => {
      // Not in the turn of the change that it follows, which has done enough.
      await setImmediate();
      const steps = mergeSegments(sources);
      let step = steps.next();
      while (step.done !== true) {
        await setImmediate();
        step = steps.next();
      }
      this.replace(sources, step.value);
      for (const steps = this.relocations(sources); steps.next().done !== true;) await setImmediate();
    };
    this.merging = run().then(
      () => {
        this.merging = undefined;
        this.tidyAgain();
      },
      (error: unknown) => {
        // Its sources are searched as before. Only the next change tries again, or a lasting fault would spin.
        this.merging = undefined;
        this.onError(error);
      },
    );
  }

  private tidyAgain(): void {
    try {
      this.tidy();
    } catch (error) {
      this.onError(error);
    }
  }

  /** From here on the merged segment is searched; the locations follow, each when it is looked at or in its turn. */
  private replace(sources: readonly Segment[], { segment, places }: MergedSegment): void {
    sources.forEach((source, number) => {
      const to = places[number] ?? new Int32Array(0);
      // Documents that were removed during the merge.
      for (let document = 0; document < to.length; document += 1) {
        const place = to[document] ?? -1;
        if (place !== -1 && source.live[document] === 0) segment.live[place] = 0;
      }
      this.replaced.set(source, { segment, places: to });
      countTerms(this.dictionary, source, -1);
    });
    countTerms(this.dictionary, segment, 1);
    this.parts = [...this.parts.filter((part) => !sources.includes(part)), segment].sort(
      (a, b) => b.documents.length - a.documents.length,
    );
  }

  /** Brings the locations up to a merge, some at a time, so that nothing holds its sources any more. */
  private *relocations(sources: readonly Segment[]): Generator<undefined, void> {
    for (const source of sources) {
      for (const [document, toolId] of source.toolIds.entries()) {
        const location = this.locations.get(toolId);
        if (location?.segment === source) this.bringUp(location);
        if (document % LOCATIONS_PER_STEP === LOCATIONS_PER_STEP - 1) yield;
      }
      this.replaced.delete(source);
    }
  }

  private bringUp(location: Location): void {
    const replacement = this.replaced.get(location.segment);
    if (replacement === undefined) return;
    location.document = replacement.places[location.document] ?? 0;
    location.segment = replacement.segment;
  }
}

interface Replacement {
  readonly segment: Segment;
  /** By document: its place. */
  readonly places: Int32Array;
}
