import { describe, expect, it } from '@jest/globals';
import { capabilities, credits, unservedReads } from './reads.js';

const { path } = credits;

describe('what clients read beside their calls', () => {
  it('is served each time, or named with how it was answered', () => {
    expect(unservedReads([credits], [{ path, status: 200 }])).toEqual([]);
    expect(unservedReads([credits], [{ path, status: 503 }, { path }, { path, status: 503 }])).toEqual([
      `${path} was answered 503, 2 times`,
      `${path} was answered broken, 1 times`,
    ]);
    expect(unservedReads([credits, capabilities], [{ path, status: 200 }])).toEqual([
      `${capabilities.path} was not asked`,
    ]);
  });
});
