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
