import { describe, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import { csvLines, harmless } from './csv-cells.js';

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
});

describe('lines of CSV', () => {
  it('are read back as they were, whatever is in them', () => {
    const rows = [
      ['a', 'b,c', 'say "no"', 'two\nlines', 'two\r\nlines'],
      ['', ' around ', '\ufeffmark', 'é☃😀', ';'],
    ];
    const text = csvLines(rows);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(Papa.parse(text.trimEnd()).data).toEqual(rows);
  });

  it('have nothing between commas for null, and are none for no row', () => {
    expect(csvLines([['a', null, 'c']])).toBe('a,,c\r\n');
    expect(csvLines([])).toBe('');
  });
});
