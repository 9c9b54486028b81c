import type { Shape } from './shape.js';

/** Parts that are repeated over and over: characters and words that some grammar treats in its own way. */
const repeated = [
  ...'a0 \n\t"\'\\[]{}()<>&*_#`!|-=:,;./%$^~@+?\0éß汉😀',
  // A letter with marks without end, joined and paired characters, a lone half.
  'e\u0301',
  '\u0301',
  '\u200d',
  '👨\u200d👩\u200d👧',
  '🇩🇪',
  '\ud83d',
  ...[
    '? ',
    '. ',
    '- ',
    '> ',
    '* ',
    '1. ',
    ': ',
    '# ',
    '| ',
    '|-|\n',
    '\r\n',
    'a\n',
    '1\n',
    'a ',
    'a,',
    '"a",',
    'a.b@',
    'A1 ',
  ],
  ...['[](', '![', '[a]: b\n', '[^a]', '*a ', '*a_ ', '**a*', '`a', '```', '~~a', '\\(', 'http://a.b ', 'a@b.c '],
  ...['<a>', '</a>', '<b', '<!--', '<![CDATA[', '<?a', '<p>', '<td>', '<a b="', '&amp;', '&#', '&a'],
  ...['{{', '{%', '{{ a }}', '{% if a %}', '{# ', '((', '(a|', 'a?', 'a*', 'a{9}', '\\d', '.*', '[a-z]'],
  ...[
    'a: ',
    'a: &a\n',
    '*a, ',
    '- - ',
    '{a: ',
    '"',
    '!!a ',
    '--- \n',
    '\n  ',
    'sqrt(',
    '1+',
    '2^',
    'a=1;',
    '[1,',
    '1;',
  ],
  ...['%E4', '%2F', '?a=b&', '../', '.a', '[0]', '..*', '@.a', 'ÿÿ'],
];

/** Opened as often as closed. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  ['[', ']'],
  ['{', '}'],
  ['(', ')'],
  ['<a>', '</a>'],
  ['<div><p>', '</p></div>'],
  ['{"a":', '}'],
  ['*', '*'],
  ['{% if a %}', '{% endif %}'],
  ['"', '"'],
];

/** Cut to whole characters, each of which counts as one. */
const cut = (text: string, size: number): string => {
  if (text.length <= size) return text;
  return isPlain(text) ? text.slice(0, size) : [...text].slice(0, size).join('');
};
/** Without characters that take two units. */
const isPlain = (text: string): boolean => !/[\ud800-\udfff]/.test(text);
const fill = (part: string, size: number): string => {
  const length = [...part].length;
  const whole = part.repeat(Math.floor(size / Math.max(1, length)));
  return whole + cut(part, size % Math.max(1, length));
};

function fillWith(partOf: (index: number) => string, size: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < size; index += 1) {
    const part = partOf(index);
    parts.push(part);
    length += part.length;
  }
  return cut(parts.join(''), size);
}

/** `sample`: what a well-meaning caller sends. */
export function hostileTexts(sample: string): readonly Shape<string>[] {
  const shape = (name: string, of: (size: number) => string): Shape<string> => ({ name, of });
  return [
    ...repeated.map((part) => shape(`${JSON.stringify(part)} repeated`, (size) => fill(part, size))),
    ...pairs.map(([open, close]) =>
      shape(`${open}${close} nested`, (size) => {
        const levels = Math.max(1, Math.floor(size / (open.length + close.length)));
        return cut(open.repeat(levels) + close.repeat(levels), size);
      }),
    ),
    shape('the sample repeated', (size) => fill(sample === '' ? 'a' : sample, size)),
    shape('the sample repeated in lines', (size) => fill(`${sample}\n`, size)),
    shape('the sample and a long line', (size) => cut(sample + fill('x', size), size)),
    shape('distinct words', (size) => fillWith((index) => `w${index} `, size)),
    shape('distinct lines', (size) => fillWith((index) => `line ${index}\n`, size)),
    shape('distinct keys', (size) => fillWith((index) => `k${index}: ${index}\n`, size)),
    shape('distinct tags', (size) => fillWith((index) => `<t${index}>`, size)),
    shape('distinct references', (size) => fillWith((index) => `[a${index}] `, size)),
    shape('distinct anchors', (size) => fillWith((index) => `- &a${index} x\n- *a${index}\n`, size)),
    shape('columns', (size) => fillWith((index) => `c${index},`, size)),
    shape('lengthening words', (size) => fillWith((index) => `${'a'.repeat(index)} `, size)),
    shape('deepening lines', (size) => fillWith((index) => `${' '.repeat(index)}- a:\n`, size)),
    shape('sentences', (size) => fill('The quick brown fox jumps over the lazy dog, and nobody saw it happen. ', size)),
    shape('almost the end of a pattern', (size) => `${fill('a', Math.max(0, size - 1))}!`),
    shape('distinct astral characters', (size) =>
      cut(Array.from({ length: size }, (_, index) => String.fromCodePoint(0x20000 + (index % 40_000))).join(''), size),
    ),
  ];
}
