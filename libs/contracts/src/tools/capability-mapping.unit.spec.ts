import { describe, expect, it } from '@jest/globals';
import { expressionsOf, mapValues, parseSingularQuery } from './capability-mapping.js';

const source = { text: 'hi', kind: 'sha-256', list: [{ id: 1 }, { id: 2 }], 'odd name': null };

describe('a mapping', () => {
  it('is the source itself where a candidate declares none', () => {
    expect(mapValues(undefined, source)).toBe(source);
  });

  it('takes values from their places, renames and translates them, and adds constants', () => {
    const mapping = {
      input: { from: '$.text' },
      algorithm: { from: '$.kind', values: { 'sha-256': 'sha256' } },
      last_id: { from: '$.list[-1].id' },
      format: { value: 'hex' },
    };
    expect(mapValues(mapping, source)).toEqual({ input: 'hi', algorithm: 'sha256', last_id: 2, format: 'hex' });
  });

  it('leaves out what the source does not have, or takes the default', () => {
    expect(mapValues({ a: { from: '$.none.deeper[3]' }, b: { from: '$.none', default: 7 } }, source)).toEqual({ b: 7 });
  });

  it('keeps null, a false and a zero, which are values', () => {
    expect(mapValues({ a: { from: "$['odd name']", default: 1 } }, source)).toEqual({ a: null });
    expect(mapValues({ a: { from: '$.x', default: 1 }, b: { from: '$.y' } }, { x: 0, y: false })).toEqual({
      a: 0,
      b: false,
    });
  });

  it('has what its expressions made of the source, and nothing where they made nothing', () => {
    const mapping = { place: { jsonata: 'a & b' }, kind: { from: '$.kind' }, constructor: { jsonata: 'c' } };
    expect(expressionsOf(mapping)).toEqual({ place: 'a & b', constructor: 'c' });
    expect(mapValues(mapping, source, { place: 'ab', more: 1 })).toEqual({ place: 'ab', kind: 'sha-256' });
    expect(() => mapValues(mapping, source)).toThrow('before its members are made');
    expect(expressionsOf({ kind: { from: '$.kind' } })).toBeUndefined();
  });

  it('reaches own members only', () => {
    expect(mapValues({ a: { from: '$.constructor.name' }, b: { from: '$.__proto__' } }, {})).toEqual({});
    const kind = { from: '$.kind', values: {} };
    expect(mapValues({ kind }, { kind: 'constructor' })).toEqual({ kind: 'constructor' });
  });
});

describe('a path', () => {
  it.each<[string, (string | number)[]]>([
    ['$', []],
    ['$.a.b_1', ['a', 'b_1']],
    [`$['a b']["c'd"][0][-2]`, ['a b', "c'd", 0, -2]],
  ])('%s names one place', (path, segments) => {
    expect(parseSingularQuery(path)).toEqual(segments);
  });

  it.each(['', 'a', '.a', '$a', '$.', '$..a', '$.*', '$[*]', '$[0:2]', '$[01]', '$[?@.a]', '$.a ', "$['a"])(
    '%j is refused: it is no singular query',
    (path) => {
      expect(() => parseSingularQuery(path)).toThrow(SyntaxError);
    },
  );
});
