import type { Segment } from './segment.js';

/** Postings copied between two pauses; about a millisecond of work. */
const POSTINGS_PER_STEP = 50_000;
/** Documents whose rows are copied between two pauses, likewise. */
const DOCUMENTS_PER_STEP = 4_000;
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
  const { places, kept } = placesOf(sources);
  yield;
  const rows = yield* joinDocuments(sources, places, kept);
  return { places, segment: { ...rows, ...(yield* joinPostings(sources, places)) } };
}

type PostingArrays = Pick<Segment, 'terms' | 'offsets' | 'documents' | 'fieldImpacts' | 'plainImpacts' | 'fieldMasks'>;

function* joinPostings(
  sources: readonly Segment[],
  places: readonly Int32Array[],
): Generator<undefined, PostingArrays> {
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
  // Copies of a large array take long: none where nothing was removed, and one at a time.
  return {
    terms: yield* trim(terms, slots),
    offsets: yield* trim(offsets, slots + 1),
    documents: yield* trim(documents, at),
    fieldImpacts: yield* trim(fieldImpacts, at),
    plainImpacts: yield* trim(plainImpacts, at),
    fieldMasks: yield* trim(fieldMasks, at),
  };
}

function* trim<T extends Uint32Array | Uint16Array | Uint8Array>(values: T, length: number): Generator<undefined, T> {
  if (values.length === length) return values;
  yield;
  return values.slice(0, length) as T;
}

/** Live documents of all sources numbered through. */
function placesOf(sources: readonly Segment[]): { places: Int32Array[]; kept: number } {
  let kept = 0;
  const places = sources.map(({ live }) => {
    const own = new Int32Array(live.length);
    for (let document = 0; document < live.length; document += 1) {
      own[document] = live[document] === 1 ? kept : REMOVED;
      if (live[document] === 1) kept += 1;
    }
    return own;
  });
  return { places, kept };
}

function lowest(sources: readonly Segment[], cursors: readonly number[]): number | undefined {
  let found: number | undefined;
  for (let number = 0; number < sources.length; number += 1) {
    const term = sources[number]?.terms[cursors[number] ?? 0];
    if (term !== undefined && (found === undefined || term < found)) found = term;
  }
  return found;
}

/** Everything that a segment holds by document. */
function* joinDocuments(
  sources: readonly Segment[],
  places: readonly Int32Array[],
  kept: number,
): Generator<undefined, Omit<Segment, keyof PostingArrays>> {
  const sequences = sources.reduce((sum, { sequence }) => sum + sequence.length, 0);
  const first = sources.find(({ toolIds }) => toolIds.length > 0);
  const vectorWidth = widthOf(first, 'vectors');
  const signWidth = widthOf(first, 'signs');
  const toolIds: string[] = [];
  const qualities: Segment['qualities'][number][] = [];
  const sequence = new Uint32Array(sequences);
  const sequenceOffsets = new Uint32Array(kept + 1);
  const nameLengths = new Uint8Array(kept);
  const vectors = new Int8Array(kept * vectorWidth);
  const signs = new Uint32Array(kept * signWidth);
  let end = 0;
  for (const [number, source] of sources.entries()) {
    for (const [from, to] of liveRuns(places[number])) {
      const place = toolIds.length;
      const sequenceFrom = source.sequenceOffsets[from] ?? 0;
      sequence.set(source.sequence.subarray(sequenceFrom, source.sequenceOffsets[to]), end);
      for (let document = from; document < to; document += 1) {
        toolIds.push(source.toolIds[document] ?? '');
        qualities.push(source.qualities[document]);
        sequenceOffsets[toolIds.length] = end + (source.sequenceOffsets[document + 1] ?? 0) - sequenceFrom;
      }
      end = sequenceOffsets[toolIds.length] ?? 0;
      nameLengths.set(source.nameLengths.subarray(from, to), place);
      vectors.set(source.vectors.subarray(from * vectorWidth, to * vectorWidth), place * vectorWidth);
      signs.set(source.signs.subarray(from * signWidth, to * signWidth), place * signWidth);
      yield;
    }
  }
  const live = new Uint8Array(kept).fill(1);
  return {
    toolIds,
    qualities,
    live,
    sequence: yield* trim(sequence, end),
    sequenceOffsets,
    nameLengths,
    vectors,
    signs,
  };
}

/** From and to of documents in a row that were not removed, each at most as long as a step. */
function* liveRuns(places: Int32Array = new Int32Array(0)): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < places.length;) {
    if (places[from] === REMOVED) {
      from += 1;
      continue;
    }
    let to = from;
    while (to < places.length && to - from < DOCUMENTS_PER_STEP && places[to] !== REMOVED) to += 1;
    yield [from, to];
    from = to;
  }
}

const widthOf = (segment: Segment | undefined, name: 'vectors' | 'signs'): number =>
  segment === undefined || segment.toolIds.length === 0 ? 0 : segment[name].length / segment.toolIds.length;
