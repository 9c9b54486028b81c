import { describe, expect, it } from '@jest/globals';
import { wordVectorsOf } from '@capability-router/tool-search';
import { DIMENSIONS, trainVectors } from './train.js';

/** Where a teacher says that a text points: a card that gives credit is something else than a card and credit are. */
const axisOf = (text: string): number => {
  const words = text.toLowerCase();
  if (/credit card/.test(words)) return 2;
  return /credit/.test(words) ? 0 : /card/.test(words) ? 1 : 3;
};
const teacher = async (texts: readonly string[]): Promise<Float32Array> => {
  const directions = new Float32Array(texts.length * DIMENSIONS);
  texts.forEach((text, at) => (directions[at * DIMENSIONS + axisOf(text)] = 1));
  return directions;
};
const synsets = ['credit', 'card', 'credit card', 'weather'].flatMap((subject) =>
  'amber birch cedar delta ember fjord grove heron islet jetty kelp lagoon maple north ocean pine'
    .split(' ')
    .map((other) => ({ words: subject, gloss: `${subject} ${other}` })),
);

describe('training', () => {
  it('gives the engine vectors of words, and of neighbours that mean something else together', async () => {
    const vectors = wordVectorsOf(await trainVectors({ operations: [], synsets }, teacher, () => undefined));
    const along = (text: string): readonly number[] => [...(vectors.embedText(text.split(' ')) ?? [])].slice(0, 4);
    expect(vectors.rowOfPair(vectors.rowOf('credit'), vectors.rowOf('card'))).not.toBe(-1);
    for (const [text, axis] of [
      ['credit', 0],
      ['card', 1],
      ['credit card', 2],
      ['weather', 3],
    ] as const) {
      const directions = along(text);
      expect({ text, axis: directions.indexOf(Math.max(...directions)) }).toEqual({ text, axis });
    }
  });
});
