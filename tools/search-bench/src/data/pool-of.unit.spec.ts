import { describe, expect, it } from '@jest/globals';
import { poolOf } from './pool-of.js';

const tool = (id: string) => ({ id, name: id, description: '', params: [], source: 's' });
const tools = Array.from({ length: 10 }, (_, number) => tool(`t${number}`));
const queries = [{ text: 'q', lang: 'en', source: 's', relevant: ['t9', 't0'] }];
const ids = (count: number): string[] => poolOf(tools, queries, count).map(({ id }) => id);

describe('a pool of so many tools', () => {
  it('holds all that serve a query, and others from everywhere', () => {
    expect(ids(4)).toEqual(['t0', 't4', 't8', 't9']);
  });

  it('holds what serves a query when that is more, and all tools when they are fewer', () => {
    expect(ids(1)).toEqual(['t0', 't9']);
    expect(ids(99)).toEqual(tools.map(({ id }) => id));
  });
});
