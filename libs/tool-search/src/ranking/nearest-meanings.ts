import type { Segment } from '../index/segment.js';
import { signsOf } from '../index/signs.js';
import { SignDifferences } from './sign-differences.js';

export interface NearMeaning {
  readonly segment: Segment;
  readonly document: number;
  /** Place in the arrays of the lexical scores. */
  readonly place: number;
}

/**
 * Finds the documents whose direction is likely to be near that of a query: those that differ from it in the fewest signs.
 * A glance of some nanoseconds at each document, so that a tool that shares no word with the query is found as well.
 */
export class NearestMeanings {
  private readonly differences = new SignDifferences();

  /** The about `limit` nearest, never more; fewer only where there are no more. Ties go by place. */
  find(segments: readonly Segment[], query: Float32Array, limit: number): NearMeaning[] {
    const { near, tied } = this.differences.nearest(segments, signsOf(query, query.length), limit);
    return [...placesIn(segments, near), ...placesIn(segments, tied)];
  }
}

/** `places`, ascending, as documents of their segments. */
function placesIn(segments: readonly Segment[], places: Uint32Array): NearMeaning[] {
  let index = 0;
  let base = 0;
  const found: NearMeaning[] = [];
  for (const place of places) {
    let segment = segments[index];
    while (segment !== undefined && place >= base + segment.live.length) {
      base += segment.live.length;
      index += 1;
      segment = segments[index];
    }
    if (segment !== undefined) found.push({ segment, document: place - base, place });
  }
  return found;
}
