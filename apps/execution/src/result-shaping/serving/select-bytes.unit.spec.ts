import { describe, expect, it } from '@jest/globals';
import { selectBytes } from './select-bytes.js';

const SIZE = 1_000;
const etag = '"exec_1"';
const select = (headers: Record<string, string>) => selectBytes(headers, SIZE, etag);
const whole = { status: 200 };
const part = (start: number, end: number) => ({ status: 206, range: { start, end } });

describe('what of a result a request selects', () => {
  it.each([
    ['nothing asked', undefined, whole],
    ['from the first', 'bytes=0-499', part(0, 499)],
    ['one byte', 'bytes=0-0', part(0, 0)],
    ['to beyond the end', 'bytes=900-5000', part(900, 999)],
    ['without an end', 'bytes=999-', part(999, 999)],
    ['the last ones', 'bytes=-1', part(999, 999)],
    ['more last ones than there are', 'bytes=-5000', part(0, 999)],
    ['several', 'bytes=0-1,500-501', whole],
    ['an end before its beginning', 'bytes=2-1', whole],
    ['after the end', 'bytes=1000-', { status: 416 }],
    ['no last ones', 'bytes=-0', { status: 416 }],
    ['another unit', 'items=0-1', whole],
    ['no range', 'bytes', whole],
    ['neither end', 'bytes=-', whole],
    ['words', 'bytes=a-b', whole],
    ['digits too many', 'bytes=99999999999999999999-', { status: 416 }],
  ])('%s', (_name, range, expected) => {
    expect(select(range === undefined ? {} : { range })).toEqual(expected);
  });

  it('is none of a result without bytes', () => {
    expect(selectBytes({ range: 'bytes=0-' }, 0, etag)).toEqual({ status: 416 });
    expect(selectBytes({ range: 'bytes=-1' }, 0, etag)).toEqual({ status: 416 });
  });

  it('gives a part under If-Range only of what the caller has the other part of', () => {
    expect(select({ range: 'bytes=0-1', 'if-range': etag })).toEqual(part(0, 1));
    for (const other of ['"exec_2"', `W/${etag}`, 'Wed, 21 Oct 2026 07:28:00 GMT', '*']) {
      expect(select({ range: 'bytes=0-1', 'if-range': other })).toEqual(whole);
    }
  });

  it('gives nothing of what the caller has, before it looks at the range', () => {
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      expect(select({ 'if-none-match': known, range: 'bytes=5000-' })).toEqual({ status: 304 });
    }
    expect(select({ 'if-none-match': '"exec_2"' })).toEqual(whole);
  });
});
