import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { dataFault } from './data-fault.js';

const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue;

describe('data of a provider', () => {
  it.each(['1e400', '[[1, -1e999]]', '{"rows":[{"n":1e400}]}'])('%s has a number that would become null', (text) => {
    expect(dataFault(parsed(text), 100)).toBe('number_too_large');
  });

  it.each(['null', '1e308', '-0', '"1e400"', '{"a":[null,1e-400]}'])('%s is what it says', (text) => {
    expect(dataFault(parsed(text), 100)).toBeUndefined();
  });

  it('is nested too deeply from the level above the bound', () => {
    const nested = (levels: number): JsonValue => parsed(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect([dataFault(nested(100), 100), dataFault(nested(102), 100)]).toEqual([undefined, 'too_deep']);
  });
});
