import { describe, expect, it } from '@jest/globals';
import { AnswerTimes, FIRST_PATIENCE_MS, MAX_PATIENCE_MS, MIN_PATIENCE_MS } from './answer-times.js';

function after(times: readonly number[]): number {
  const known = new AnswerTimes();
  for (const ms of times) known.record(ms);
  return known.patienceMs;
}
const many = (ms: number, count = 256): number[] => Array.from({ length: count }, () => ms);

describe('how long an answer may take before it is late', () => {
  it('is generous until something is known', () => {
    expect(after([])).toBe(FIRST_PATIENCE_MS);
    expect(after([1, 2, 3])).toBe(FIRST_PATIENCE_MS);
  });

  it('is what all but one answer in a hundred take', () => {
    expect(after([...many(150, 250), ...many(700, 6)])).toBe(700);
    expect(after([...many(150, 255), 700])).toBe(150);
  });

  it('stays within bounds', () => {
    expect(after(many(0.5))).toBe(MIN_PATIENCE_MS);
    expect(after(many(90_000))).toBe(MAX_PATIENCE_MS);
  });

  it('follows an address that has become slower, or quicker', () => {
    expect(after([...many(110), ...many(400)])).toBe(400);
    expect(after([...many(400), ...many(110)])).toBe(110);
  });
});
