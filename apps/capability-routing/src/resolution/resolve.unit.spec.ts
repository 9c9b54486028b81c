import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { SearchHit } from '@capability-router/tool-search';
import { CERTAIN_BY_ONE_WORD, MAX_NEAREST, MIN_CERTAINTY, MIN_LEAD, resolve } from './resolve.js';

const hit = (toolId: string, finalScore: number, words = 2, exact = false): SearchHit => ({
  toolId,
  score: 0.5,
  finalScore,
  exact,
  matches: Array.from({ length: words }, (_, index) => ({ word: `w${index}`, fields: ['name'] as const })),
});
const resolvedBy = (...hits: SearchHit[]): string | undefined => resolve(hits).resolved?.capabilityId;

describe('what a request in words means', () => {
  it('is the most certain capability, whichever comes first by rank', () => {
    expect(resolve([hit('a', 0.2), hit('b', 0.614)])).toEqual({
      resolved: { capabilityId: 'b', certainty: 0.61 },
      nearest: [
        { capabilityId: 'b', certainty: 0.61 },
        { capabilityId: 'a', certainty: 0.2 },
      ],
    });
  });

  it('is none where nothing fits, or too little', () => {
    expect(resolve([])).toEqual({ nearest: [] });
    expect(resolvedBy(hit('a', 0.44))).toBeUndefined();
    expect(resolvedBy(hit('a', 0.46))).toBe('a');
  });

  it('is none where two fit about as well', () => {
    expect(resolvedBy(hit('a', 0.9), hit('b', 0.8))).toBeUndefined();
    expect(resolvedBy(hit('a', 0.9), hit('b', 0.7))).toBe('a');
  });

  it('is none by one word, unless that is nearly all that was said', () => {
    expect(resolvedBy(hit('a', 0.6, 1))).toBeUndefined();
    expect(resolvedBy(hit('a', 0.8, 1))).toBe('a');
    expect(resolvedBy(hit('a', 1, 0, true))).toBe('a');
  });

  it('has the numbers that docs/routing.md tells', () => {
    const document = readFileSync(new URL('../../../../docs/routing.md', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    expect(document).toContain(`at least ${MIN_CERTAINTY}, at least ${MIN_LEAD} above the next`);
    expect(document).toContain(`by one where it is ${CERTAIN_BY_ONE_WORD}`);
  });

  it('tells few', () => {
    const hits = Array.from({ length: 12 }, (_, index) => hit(`c${index}`, 0.3));
    expect(resolve(hits).nearest).toHaveLength(MAX_NEAREST);
  });
});
