import { describe, expect, it } from '@jest/globals';
import { groupBatches } from './group-batches.js';

const batch = (name: string, events: number, topic = 't') => ({
  name,
  topic,
  messages: Array.from({ length: events }, () => ({})),
});
const named = (batches: readonly ReturnType<typeof batch>[], maxEvents: number): string[] =>
  groupBatches(batches, maxEvents).map((group) => group.map(({ name }) => name).join('+'));

describe('batches of one fetch', () => {
  it('are handled together as long as they fit into one transaction', () => {
    expect(named([batch('a', 200), batch('b', 200), batch('c', 100), batch('d', 1), batch('e', 499)], 500)).toEqual([
      'a+b+c',
      'd+e',
    ]);
  });

  it('stand alone where they fill a transaction, and what comes after them still finds those before', () => {
    expect(named([batch('a', 1), batch('b', 500), batch('c', 1_700), batch('d', 2)], 500)).toEqual(['a+d', 'b', 'c']);
  });

  it('are never of two topics', () => {
    expect(named([batch('a', 1, 'x'), batch('b', 1, 'y'), batch('c', 1, 'x')], 500)).toEqual(['a+c', 'b']);
  });

  it('are none where nothing was fetched', () => {
    expect(named([], 500)).toEqual([]);
  });
});
