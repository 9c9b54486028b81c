/** Values that no member of any request takes: each is 422 wherever it stands. */
export const wrongEverywhere: readonly (readonly [string, unknown])[] = [
  ['a list of lists', [[7]]],
  ['an object of nothing that is known', { 'what is this': [] }],
  ['a text of 40,000 characters', 'x'.repeat(40_000)],
  ['a list of 500 objects', Array.from({ length: 500 }, () => ({}))],
];

/** Values that some member may take. Whatever is answered, nothing fails. As JSON, because not all can be written otherwise. */
export const oddValues: readonly string[] = [
  'true',
  '7',
  '-1',
  '0.1234567',
  '1e400',
  '9007199254740993',
  `${'9'.repeat(400)}`,
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\u202e\\r\\nx: y"',
  '"\' OR 1=1 --"',
  '"NULL"',
  '"+275760-09-13T00:00:00.001Z"',
  '"9999-12-31T23:59:60Z"',
  '[]',
  '[null]',
  '["\\u0000"]',
  '{}',
  '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
];

/** Whole bodies that are no request of anything. */
export const oddBodies: readonly string[] = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  'null',
  '[]',
  '7',
  '"text"',
  '\u0000',
  '{"__proto__":null}',
  '{"constructor":null}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `{${Array.from({ length: 20_001 }, (_, index) => `"${index}":0`).join()}}`.slice(0, 65_000),
  JSON.stringify({ name: 'x'.repeat(70_000) }),
];

/** Parameters of a path, encoded. */
export const oddParameters: readonly string[] = [
  'nonsense',
  '%00',
  '%0d%0ax:y',
  '%F0%9F%92%A5',
  '..%2f..%2fetc',
  "'%20OR%201=1",
  'x'.repeat(90),
  `acc_${'F'.repeat(32)}`,
  `acc_${'0'.repeat(32)}`,
  '0198f3a0-0000-7000-8000-000000000000',
  '0198F3A0-0000-7000-8000-000000000000:rotate',
  ':::',
];

/** Values of parameters of a query and of a form, encoded. */
export const oddTexts: readonly string[] = [
  '',
  '%20',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '%00',
  'a%00b',
  '%ff',
  '%zz',
  '%',
  '%F0%9F%92%A5',
  '%0d%0aset-cookie:%20a=b',
  "'%20OR%201=1%20--",
  '%3Cscript%3Ealert(1)%3C/script%3E',
  'x'.repeat(5_000),
];

/**
 * No answer holds this: where it came from, how it is made, and what its database said. Each piece is long enough, or
 * begins a word, so that no random token matches it by chance.
 */
export const internals =
  /\bat .+:\d+:\d+|node_modules|\/(?:apps|libs|dist)\/|(?:Type|Range|Reference|Syntax|Query|Assertion)\w*Error|\bSELECT\b|\bINSERT\b|\bUPDATE\b|violates|relation "|invalid (?:byte|input)|PostgreSQL|\bpg_[a-z]{3}|internal_error/;
