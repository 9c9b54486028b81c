import { describe, expect, it } from '@jest/globals';
import { newAccountId } from '@capability-router/kernel';
import { DownloadBounds } from './download-bounds.js';

describe('downloads at once', () => {
  it('are bounded for each account, and for all; a place is given back once', () => {
    const bounds = new DownloadBounds();
    const greedy = newAccountId(0);
    const left = Array.from({ length: 8 }, () => bounds.enter(greedy));
    expect(left.every((leave) => leave !== undefined)).toBe(true);
    expect(bounds.enter(greedy)).toBeUndefined();
    left[0]?.();
    left[0]?.();
    expect(bounds.enter(greedy)).toBeDefined();
    expect(bounds.enter(greedy)).toBeUndefined();

    const others = Array.from({ length: 60 }, (_, index) => bounds.enter(newAccountId(index)));
    expect(others.filter((leave) => leave !== undefined)).toHaveLength(56);
    others[0]?.();
    expect(bounds.enter(newAccountId(61))).toBeDefined();
  });
});
