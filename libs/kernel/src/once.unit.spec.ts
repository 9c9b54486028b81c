import { describe, expect, it } from '@jest/globals';
import { once } from './once.js';

describe('a value made once', () => {
  it('is not made before it is asked for, and is the same every time, undefined too', () => {
    let made = 0;
    const value = once(() => {
      made += 1;
      return undefined;
    });
    expect(made).toBe(0);
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(made).toBe(1);
  });
});
