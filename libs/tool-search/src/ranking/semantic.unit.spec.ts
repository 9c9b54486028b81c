import { describe, expect, it } from '@jest/globals';
import { sampleDocument } from '../test-support/sample-document.js';
import { ToolIndex } from '../tool-index.js';
import type { SemanticEvidence } from './semantic.js';

const index = new ToolIndex([
  sampleDocument('geo.moon.get.v1', { name: ['Moon phase'], description: ['The phase of the moon.'] }),
  sampleDocument('geo.tide.get.v1', { name: ['Tide table'], description: ['High and low tide.'] }),
  sampleDocument('geo.sun.get.v1', { name: ['Sunrise'], description: ['When the sun comes up.'] }),
]);
const evidence = (share: number, byTool: Record<string, [number, number]>): SemanticEvidence => ({
  share,
  byTool: new Map(Object.entries(byTool).map(([id, [likeness, fit]]) => [id, { likeness, fit }])),
});
const search = (query: string, semantic: SemanticEvidence) =>
  index.search(query, { limit: 5, minFit: 0.17, semantic }).map(({ toolId }) => toolId);

describe('what a model adds to the ranking', () => {
  it('is a tool that no word of the query names, where it is alike enough', () => {
    expect(
      search('lunar cycle', evidence(0.4, { 'geo.moon.get.v1': [1, 0.5], 'geo.tide.get.v1': [0.5, 0.05] })),
    ).toEqual(['geo.moon.get.v1']);
  });

  it('is a part of the score, as large as its share', () => {
    const likeTide = { 'geo.tide.get.v1': [1, 0.9], 'geo.moon.get.v1': [0.2, 0.2] } satisfies Record<
      string,
      [number, number]
    >;
    expect(search('moon phase', evidence(0.1, likeTide))).toEqual(['geo.moon.get.v1', 'geo.tide.get.v1']);
    expect(search('moon phase', evidence(0.9, likeTide))).toEqual(['geo.tide.get.v1', 'geo.moon.get.v1']);
  });

  it('never comes before an exact id', () => {
    expect(search('geo.sun.get.v1', evidence(0.9, { 'geo.tide.get.v1': [1, 1] }))).toEqual(['geo.sun.get.v1']);
  });

  it('is nothing of a tool that is not in the index', () => {
    expect(search('moon', evidence(0.5, { 'geo.gone.get.v1': [1, 1] }))).toEqual(['geo.moon.get.v1']);
    index.remove(['geo.tide.get.v1']);
    expect(search('lunar', evidence(0.5, { 'geo.tide.get.v1': [1, 1] }))).toEqual([]);
  });
});
