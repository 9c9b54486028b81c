import { describe, expect, it } from '@jest/globals';
import { signsOf } from '../index/signs.js';
import type { Segment } from '../index/segment.js';
import { NearestMeanings } from './nearest-meanings.js';

const DIMENSIONS = 40;
/** A direction that differs from all ones in the signs of its first `different` dimensions. */
const directionOf = (different: number): number[] =>
  Array.from({ length: DIMENSIONS }, (_, i) => (i < different ? -100 : 100));
const query = Float32Array.from(directionOf(0));

function segmentOf(differences: readonly number[], removed: readonly number[] = []): Segment {
  const vectors = Int8Array.from(differences.flatMap(directionOf));
  return {
    toolIds: differences.map((different) => `tool${different}`),
    qualities: [],
    live: Uint8Array.from(differences, (_, at) => (removed.includes(at) ? 0 : 1)),
    terms: new Uint32Array(0),
    offsets: new Uint32Array(1),
    documents: new Uint32Array(0),
    fieldImpacts: new Uint16Array(0),
    plainImpacts: new Uint16Array(0),
    fieldMasks: new Uint8Array(0),
    sequence: new Uint32Array(0),
    sequenceOffsets: new Uint32Array(differences.length + 1),
    nameLengths: new Uint8Array(differences.length),
    vectors,
    signs: signsOf(vectors, DIMENSIONS),
  };
}

const found = (segments: readonly Segment[], limit: number): string[] =>
  new NearestMeanings()
    .find(segments, query, limit)
    .map(({ segment, document, place }) => `${segment.toolIds[document]} at ${place}`)
    .sort();

describe('the tools that mean about what a query means', () => {
  it('are those that differ in the fewest signs, of every part of the index', () => {
    expect(found([segmentOf([9, 0, 33]), segmentOf([1, 40])], 3)).toEqual(['tool0 at 1', 'tool1 at 3', 'tool9 at 0']);
  });

  it('are none that was removed', () => {
    expect(found([segmentOf([0, 1, 2], [0])], 2)).toEqual(['tool1 at 1', 'tool2 at 2']);
  });

  it('are never more than were asked for, also where many are as near', () => {
    expect(found([segmentOf([5, 5, 5, 1, 5])], 2)).toEqual(['tool1 at 3', 'tool5 at 0']);
    expect(found([segmentOf([5, 5])], 10)).toHaveLength(2);
    expect(found([segmentOf([])], 10)).toEqual([]);
  });

  it('are found again and again by one that is used again', () => {
    const nearest = new NearestMeanings();
    const segments = [segmentOf([3, 1, 2])];
    const placesOf = () => nearest.find(segments, query, 1).map(({ place }) => place);
    expect([placesOf(), placesOf()]).toEqual([[1], [1]]);
  });
});

/** The same by the plainest way. */
function plainly(segments: readonly Segment[], query: Float32Array, limit: number): number[] {
  const asked = signsOf(query, query.length);
  const bitsOf = (word: number): number => word.toString(2).replaceAll('0', '').length;
  const places = segments.flatMap(({ signs, live }) =>
    Array.from(live, (is, document) => ({
      is,
      difference: asked.reduce((sum, word, at) => sum + bitsOf(((signs[4 * document + at] ?? 0) ^ word) >>> 0), 0),
    })),
  );
  return places
    .map(({ is, difference }, place) => ({ is, difference, place }))
    .filter(({ is }) => is === 1)
    .sort((one, other) => one.difference - other.difference || one.place - other.place)
    .slice(0, limit)
    .map(({ place }) => place)
    .sort((one, other) => one - other);
}

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the glance at every document', () => {
  it('finds what the plainest way finds, while parts of the index come, go, change and lose documents', () => {
    const next = numbers(7);
    const segmentWith = (documents: number): Segment => {
      const vectors = Int8Array.from({ length: documents * 200 }, () => next(255) - 127);
      return { ...segmentOf([]), live: new Uint8Array(documents).fill(1), vectors, signs: signsOf(vectors, 200) };
    };
    const nearest = new NearestMeanings();
    let segments: Segment[] = [];
    for (let round = 0; round < 60; round += 1) {
      const kept = segments.filter(() => next(4) > 0);
      segments = next(3) === 0 ? [segmentWith(next(70)), ...kept] : [...kept, segmentWith(next(40))];
      for (const { live } of segments) if (live.length > 0) live[next(live.length)] = 0;
      const direction = Float32Array.from({ length: 200 }, () => next(3) - 1);
      const limit = 1 + next(60);
      const places = nearest.find(segments, direction, limit).map(({ segment, document, place }) => {
        const base = segments.slice(0, segments.indexOf(segment)).reduce((sum, { live }) => sum + live.length, 0);
        expect(base + document).toBe(place);
        return place;
      });
      expect(places.toSorted((one, other) => one - other)).toEqual(plainly(segments, direction, limit));
    }
  });
});

describe('the signs of directions', () => {
  it('have a bit for each value above 0, in words of their own for each direction', () => {
    expect([...signsOf([1, -1, 0, 2], 2)]).toEqual([0b01, 0, 0, 0, 0b10, 0, 0, 0]);
    expect([...signsOf(directionOf(33), DIMENSIONS)]).toEqual([0, 0xfe, 0, 0]);
    expect(signsOf(new Int8Array(400).fill(1), 200)).toEqual(new Uint32Array(8).fill(0xffffffff));
  });

  it('are none without word vectors', () => {
    expect(signsOf(new Int8Array(0), 0)).toHaveLength(0);
  });
});
