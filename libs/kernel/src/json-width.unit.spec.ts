import { describe, expect, it } from '@jest/globals';
import { hasWiderObject, MAX_JSON_MEMBERS } from './json-width.js';

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const wide = (members: number): object =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, index]));

describe('how many members an object of JSON has', () => {
  it('is allowed up to the limit, and not one more, wherever the object is', () => {
    expect(hasWiderObject(bytes(wide(MAX_JSON_MEMBERS)))).toBe(false);
    expect(hasWiderObject(bytes(wide(MAX_JSON_MEMBERS + 1)))).toBe(true);
    expect(hasWiderObject(bytes({ a: [{ b: wide(5) }], c: 1 }), 5)).toBe(false);
    expect(hasWiderObject(bytes({ a: [{ b: wide(6) }], c: 1 }), 5)).toBe(true);
  });

  it('counts each object for itself, also the one that goes on after another has ended', () => {
    expect(hasWiderObject(bytes(Array.from({ length: 100 }, () => wide(5))), 5)).toBe(false);
    expect(hasWiderObject(bytes({ ...wide(3), in: wide(5), out: [wide(5)] }), 5)).toBe(false);
    expect(hasWiderObject(bytes({ ...wide(4), in: wide(5), out: 1 }), 5)).toBe(true);
  });

  it('does not count colons in strings, wherever a string seems to end', () => {
    for (const text of [':::::::', '\\":::::::', '\\\\\\":::::::', '好:::::::']) {
      expect(hasWiderObject(Buffer.from(`{"a":"${text}","b":"${text}"}`), 2)).toBe(false);
    }
  });

  it('does not count values of a list', () => {
    expect(hasWiderObject(bytes(Array.from({ length: 1_000 }, () => 1)), 5)).toBe(false);
  });

  it('ends on text that is cut off', () => {
    for (const text of ['', '"', '{"a":"\\', '{"a', ']]]]]]]]]]'])
      expect(hasWiderObject(Buffer.from(text), 2)).toBe(false);
  });
});
