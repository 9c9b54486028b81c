import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

const work = (ms: number): void => {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
};

describe('turns of a long task', () => {
  it('let others do something after a while of work, and not before', async () => {
    const turns = new FairTurns(5);
    let others = 0;
    const other = (): void => {
      others += 1;
    };
    setImmediate(other);
    await turns.next();
    expect(others).toBe(0);
    work(6);
    await turns.next();
    expect(others).toBe(1);
    setImmediate(other);
    await new FairTurns(1_000).next();
    expect(others).toBe(1);
  });
});
