import { describe, expect, it } from '@jest/globals';
import { repeatWhileFull } from './repeat-while-full.js';

/** `removeSome` over so many rows, and what it was asked for. */
function table(rows: number) {
  const asked: number[] = [];
  let left = rows;
  const removeSome = (limit: number): Promise<number> => {
    asked.push(limit);
    const removed = Math.min(limit, left);
    left -= removed;
    return Promise.resolve(removed);
  };
  return { asked, removeSome };
}

describe('removing in batches', () => {
  it.each([
    [0, [3]],
    [2, [3]],
    [3, [3, 3]],
    [7, [3, 3, 3]],
  ])('removes %i rows and ends with the first statement that is not full', async (rows, statements) => {
    const { asked, removeSome } = table(rows);
    expect(await repeatWhileFull(removeSome, { rows: 3, statements: 10 })).toBe(rows);
    expect(asked).toEqual(statements);
  });

  it('leaves to the next call what is beyond its bound', async () => {
    const { asked, removeSome } = table(100);
    expect(await repeatWhileFull(removeSome, { rows: 3, statements: 4 })).toBe(12);
    expect(asked).toHaveLength(4);
  });
});
