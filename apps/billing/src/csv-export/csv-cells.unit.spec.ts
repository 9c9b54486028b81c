import { describe, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import { csvHead, harmless, textCell } from './csv-cells.js';

describe('a cell of text', () => {
  it.each(['=1+1', '+1', '@SUM(A1)', '-A1', '-1+2', '- 5', '-', '\t=1', '\r=1', '\n=1', '＝1', '－1'])(
    '%p gets an apostrophe',
    (text) => {
      expect(harmless(text)).toBe(`'${text}`);
    },
  );

  it.each(['', 'text', '-5', '-0.25', 'a=b', '1-2', "'=1", 'exec_1', '2026-01-01'])('%p stays as it is', (text) => {
    expect(harmless(text)).toBe(text);
  });

  it('is what the library makes of the harmless text, whatever characters are where', () => {
    const characters = [...'a1 ,"\'=+-@\t\r\n;é☃😀＝－\u00a0\u2028\ufeff'];
    const texts = characters.flatMap((a) => [a, ...characters.flatMap((b) => [a + b, `${a}x${b}`, `x${a}${b}x`])]);
    for (const text of texts) expect(textCell(text)).toBe(Papa.unparse([[harmless(text)]]));
    expect(texts.filter((text) => textCell(text) === text).length).toBeGreaterThan(500);
    expect([textCell(''), textCell(null)]).toEqual(['', '']);
  });
});

describe('lines of cells', () => {
  it('are read back as they were, whatever is in them', () => {
    const cells = [
      'a',
      'b,c',
      'say "no"',
      'two\nlines',
      'two\r\nlines',
      '',
      ' around ',
      '\ufeffmark',
      'é☃😀',
      ';',
      'z',
    ];
    const read = Papa.parse(`${cells.map(textCell).join(',')}\r\n`.trimEnd());
    expect(read.data).toEqual([cells.map(harmless)]);
  });

  it('end as CSV ends them', () => {
    expect(csvHead(['a', 'b'])).toBe('a,b\r\n');
  });
});
