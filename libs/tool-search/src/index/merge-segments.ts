import { Growing } from './growing.js';
import type { Segment } from './segment.js';

/** Postings copied between two pauses; about a millisecond of work. */
const POSTINGS_PER_STEP = 50_000;
const REMOVED = -1;

export interface MergedSegment {
  readonly segment: Segment;
  /** By source and document: its place in the merged segment, or -1 where it was removed before. */
  readonly places: readonly Int32Array[];
}

/**
 * One segment of what is live in the sources. A generator, so that the caller can do other work between two steps; what
 * is removed from a source meanwhile is in the result, and up to the caller.
 */
export function* mergeSegments(sources: readonly Segment[]): Generator<undefined, MergedSegment> {
  const places = placesOf(sources);
  const kept = sources.flatMap((source, at) => liveIn(source, places[at]));
  const count = sources.reduce((sum, { terms }) => sum + terms.length, 0);
  const postings = sources.reduce((sum, { documents }) => sum + documents.length, 0);
  const terms = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const documents = new Uint32Array(postings);
  const fieldImpacts = new Uint16Array(postings);
  const plainImpacts = new Uint16Array(postings);
  const fieldMasks = new Uint8Array(postings);
  const cursors = sources.map(() => 0);
  let slots = 0;
  let at = 0;
  let pauseAt = POSTINGS_PER_STEP;
  for (let term = lowest(sources, cursors); term !== undefined; term = lowest(sources, cursors)) {
    const from = at;
    for (const [number, source] of sources.entries()) {
      const slot = cursors[number] ?? 0;
      if (source.terms[slot] !== term) continue;
      cursors[number] = slot + 1;
      const end = source.offsets[slot + 1] ?? 0;
      for (let posting = source.offsets[slot] ?? 0; posting < end; posting += 1) {
        const place = places[number]?.[source.documents[posting] ?? 0] ?? REMOVED;
        if (place === REMOVED) continue;
        documents[at] = place;
        fieldImpacts[at] = source.fieldImpacts[posting] ?? 0;
        plainImpacts[at] = source.plainImpacts[posting] ?? 0;
        fieldMasks[at] = source.fieldMasks[posting] ?? 0;
        at += 1;
      }
    }
    if (at > from) {
      terms[slots] = term;
      slots += 1;
      offsets[slots] = at;
    }
    if (at >= pauseAt) {
      pauseAt = at + POSTINGS_PER_STEP;
      yield;
    }
  }
  const sequences = joinSequences(kept);
  yield;
  return {
    places,
    segment: {
      toolIds: kept.map(({ source, document }) => source.toolIds[document] ?? ''),
      qualities: kept.map(({ source, document }) => source.qualities[document]),
      live: new Uint8Array(kept.length).fill(1),
      terms: terms.slice(0, slots),
      offsets: offsets.slice(0, slots + 1),
      documents: documents.slice(0, at),
      fieldImpacts: fieldImpacts.slice(0, at),
      plainImpacts: plainImpacts.slice(0, at),
      fieldMasks: fieldMasks.slice(0, at),
      ...sequences,
      vectors: joinRows(kept, 'vectors', (length) => new Int8Array(length)),
      signs: joinRows(kept, 'signs', (length) => new Uint32Array(length)),
    },
  };
}

interface Kept {
  readonly source: Segment;
  readonly document: number;
}

/** Live documents of all sources numbered through. */
function placesOf(sources: readonly Segment[]): Int32Array[] {
  let next = 0;
  return sources.map(({ live }) => Int32Array.from(live, (alive) => (alive === 1 ? next++ : REMOVED)));
}

function liveIn(source: Segment, places: Int32Array | undefined): Kept[] {
  const kept: Kept[] = [];
  places?.forEach((place, document) => {
    if (place !== REMOVED) kept.push({ source, document });
  });
  return kept;
}

function lowest(sources: readonly Segment[], cursors: readonly number[]): number | undefined {
  let found: number | undefined;
  for (let number = 0; number < sources.length; number += 1) {
    const term = sources[number]?.terms[cursors[number] ?? 0];
    if (term !== undefined && (found === undefined || term < found)) found = term;
  }
  return found;
}

function joinSequences(kept: readonly Kept[]): Pick<Segment, 'sequence' | 'sequenceOffsets' | 'nameLengths'> {
  const sequence = new Growing((length) => new Uint32Array(length));
  const sequenceOffsets = new Uint32Array(kept.length + 1);
  const nameLengths = new Uint8Array(kept.length);
  kept.forEach(({ source, document }, place) => {
    const end = source.sequenceOffsets[document + 1] ?? 0;
    for (let at = source.sequenceOffsets[document] ?? 0; at < end; at += 1) sequence.push(source.sequence[at] ?? 0);
    sequenceOffsets[place + 1] = sequence.length;
    nameLengths[place] = source.nameLengths[document] ?? 0;
  });
  return { sequence: sequence.trimmed(), sequenceOffsets, nameLengths };
}

/** The rows of what has the same number of values for each document. */
function joinRows<K extends 'vectors' | 'signs'>(
  kept: readonly Kept[],
  name: K,
  make: (length: number) => Segment[K],
): Segment[K] {
  const width = widthOf(kept[0]?.source, name);
  const rows = make(kept.length * width);
  kept.forEach(({ source, document }, place) => {
    rows.set(source[name].subarray(document * width, (document + 1) * width), place * width);
  });
  return rows;
}

const widthOf = (segment: Segment | undefined, name: 'vectors' | 'signs'): number =>
  segment === undefined || segment.toolIds.length === 0 ? 0 : segment[name].length / segment.toolIds.length;
