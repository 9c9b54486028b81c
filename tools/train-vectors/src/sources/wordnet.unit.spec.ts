import { describe, expect, it } from '@jest/globals';
import { parseSynset } from './wordnet.js';

describe('a line of WordNet', () => {
  it('yields its words and its gloss', () => {
    const line =
      '00002684 03 n 02 object 0 physical_object 0 001 @ 00001930 n 0000 | a tangible thing; "it was full"  ';
    expect(parseSynset(line)).toEqual({ words: 'object physical object', gloss: 'a tangible thing; "it was full"' });
  });

  it('loses the syntactic marker of an adjective', () => {
    expect(parseSynset('00003829 00 a 01 ready(p) 0 000 | prepared').words).toBe('ready');
  });
});
