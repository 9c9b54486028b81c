import { describe, expect, it } from '@jest/globals';
import { memberFault } from './json-members.js';

describe('the members of a JSON text', () => {
  it.each([
    '{}',
    '[]',
    '1',
    '"a\\"a"',
    '{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"a"}',
    '{"a":["a","a"]}',
    '{"a":"\\"a\\":1,\\"a\\":2","b":"\\\\","c":1}',
    '{"a":[[],{}],"b":{},"a ":1,"A":2}',
    '{"proto":1,"constructor":{"prototype":1}}',
    '{"x":"__proto__","y":["__proto__"]}',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_value, index) => [`k${index}`, { k0: 1 }]))),
  ])('are fine where none is there twice: %#', (json) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(memberFault(json)).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":1,"a":1}', '"a"'],
    ['{"x":{"b":1,"c":[1,{"d":1,"d":2}]}}', '"d"'],
    ['{"a":{"a":1},"b":[],"a":2}', '"a"'],
    ['{"a":1,"\\u0061":2}', '"a"'],
    ['{ "" : 1 , "" : 2 }', '""'],
    ['{"a\\\\":1,"a\\\\":2}', '"a'],
    [`{${Array.from({ length: 50 }, (_value, index) => `"k${index % 49}":1`).join()}}`, '"k0"'],
    [`{"${'x'.repeat(500)}":1,"${'x'.repeat(500)}":2}`, '"xxx'],
  ])('are told where one is there twice: %#', (json, name) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(memberFault(json)).toContain(`the member ${name}`);
    expect((memberFault(json) ?? '').length).toBeLessThan(200);
  });

  it.each(['{"__proto__":{"a":1}}', '{"a":[{"__proto__":null}]}', '{"\\u005f_proto__":1}'])(
    'are told where one has a name that none can have: %s',
    (json) => {
      expect(memberFault(json)).toContain('"__proto__"');
    },
  );

  it('are seen in time proportional to the text, whatever it is made of', () => {
    const wide = `{${Array.from({ length: 100_000 }, (_value, index) => `"k${index}":0`).join()}}`;
    const backslashes = JSON.stringify({ a: '\\'.repeat(400_000) });
    const quotes = JSON.stringify({ a: '"'.repeat(400_000) });
    for (const json of [wide, backslashes, quotes]) expect(memberFault(json)).toBeUndefined();
  });
});
