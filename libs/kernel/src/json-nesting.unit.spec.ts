import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper, MAX_JSON_LEVELS } from './json-nesting.js';

const bytes = (text: string): Buffer => Buffer.from(text);
const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('how deep JSON nests', () => {
  it('is allowed up to the limit, and not one level more', () => {
    expect(isNestedDeeper(bytes(lists(MAX_JSON_LEVELS)))).toBe(false);
    expect(isNestedDeeper(bytes(lists(MAX_JSON_LEVELS + 1)))).toBe(true);
    expect(isNestedDeeper(bytes(`${'{"a":'.repeat(3)}1${'}'.repeat(3)}`), 3)).toBe(false);
    expect(isNestedDeeper(bytes(`${'{"a":['.repeat(2)}${']}'.repeat(2)}`), 3)).toBe(true);
  });

  it('counts levels and not brackets', () => {
    expect(isNestedDeeper(bytes(`[${'[{}],'.repeat(1_000)}[]]`), 3)).toBe(false);
    expect(isNestedDeeper(bytes(`[${'[{}],'.repeat(1_000)}[]]`), 2)).toBe(true);
  });

  it('does not count brackets in strings, wherever a string seems to end', () => {
    for (const text of ['[[[[', '\\"[[[[', '\\\\\\"[[[[', '好[[[[', '\\u005b[[[[']) {
      expect(isNestedDeeper(bytes(`["${text}"]`), 1)).toBe(false);
      expect(isNestedDeeper(bytes(`{"${text}":1}`), 1)).toBe(false);
    }
    // A string that ends in an escaped backslash is over.
    expect(isNestedDeeper(bytes('["\\\\",[[]]]'), 2)).toBe(true);
  });

  it('ends on text that is cut off', () => {
    for (const text of ['', '"', '"\\', '["a', '[[', ']]]']) expect(isNestedDeeper(bytes(text), 5)).toBe(false);
  });

  it('agrees with the parsed value on random JSON', () => {
    const depthOf = (value: unknown): number =>
      typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));
    // A linear congruential generator: the same values in every run.
    let seed = 42;
    const next = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const make = (room: number): unknown => {
      const kind = room === 0 ? next(2) : next(5);
      if (kind === 0) return next(100);
      if (kind === 1) return ['"[', '\\', '{"', ']}', '\\"['][next(5)];
      const members = Array.from({ length: next(3) }, () => make(room - 1));
      return kind === 2 ? Object.fromEntries(members.map((member, index) => [`"{[\\${index}`, member])) : members;
    };
    const depths = new Set<number>();
    for (let round = 0; round < 2_000; round += 1) {
      const value = make(6);
      const depth = depthOf(value);
      depths.add(depth);
      const json = bytes(JSON.stringify(value, undefined, round % 2));
      expect(isNestedDeeper(json, depth)).toBe(false);
      if (depth > 0) expect(isNestedDeeper(json, depth - 1)).toBe(true);
    }
    expect(depths.size).toBeGreaterThan(4);
  });
});
