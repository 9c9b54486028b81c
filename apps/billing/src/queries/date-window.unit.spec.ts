import { describe, expect, it } from '@jest/globals';
import { parseDateWindow } from './date-window.js';

const iso = (window: ReturnType<typeof parseDateWindow>): (string | undefined)[] => [
  window.from?.toISOString(),
  window.before?.toISOString(),
];

describe('a window of dates', () => {
  it('covers the whole of a plain end day, also from a time within it', () => {
    expect(iso(parseDateWindow('2026-01-01', '2026-01-01'))).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
    ]);
    expect(iso(parseDateWindow('2026-01-01T10:00:00Z', '2026-01-01'))).toEqual([
      '2026-01-01T10:00:00.000Z',
      '2026-01-02T00:00:00.000Z',
    ]);
  });

  it('reads a time without a zone as UTC and one with a zone as it says', () => {
    expect(iso(parseDateWindow('2026-01-01T10:00', undefined))[0]).toBe('2026-01-01T10:00:00.000Z');
    expect(iso(parseDateWindow('2026-01-01T10:00:00+02:00', undefined))[0]).toBe('2026-01-01T08:00:00.000Z');
  });

  it.each([
    ['2026-01-01T10:00:00 02:00', '2026-01-01T08:00:00.000Z'],
    ['2026-01-01 10:00:00 02:00', '2026-01-01T08:00:00.000Z'],
    ['2026-01-01T10:00:00+02', '2026-01-01T08:00:00.000Z'],
    ['2026-01-01T10:00:00-0230', '2026-01-01T12:30:00.000Z'],
    ['2026-01-01t10:00:00.5z', '2026-01-01T10:00:00.500Z'],
  ])('reads %p as %s', (text, expected) => {
    expect(iso(parseDateWindow(text, undefined))[0]).toBe(expected);
  });

  it.each([
    '2026-01-01T10:00 ',
    '2026-01-01T10:00+2',
    '2026-01-01 02:00:',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    'yesterday',
    '20260101',
    '',
  ])('refuses %p', (text) => {
    expect(() => parseDateWindow(text, undefined)).toThrow('Invalid start_date format');
  });

  it('refuses an end before the start', () => {
    expect(() => parseDateWindow('2026-01-02', '2026-01-01')).toThrow('start_date must not be after end_date');
  });
});
