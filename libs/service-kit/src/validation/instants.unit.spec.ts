import { describe, expect, it } from '@jest/globals';
import { Instant, Time, timeOf } from './instants.js';
import { validateBody } from './validate-body.js';

class Times {
  @Instant() readonly instant!: string;
  @Time() readonly time!: string;
}
const good = { instant: '2026-01-01T10:00:00Z', time: '2026-01-01' };
const faultsOf = (over: Partial<Times>): string[] => {
  const result = validateBody(Times, { ...good, ...over });
  return result.ok ? [] : result.error.map(({ loc }) => String(loc.at(-1)));
};

describe('times of requests', () => {
  it.each([
    '2026-01-01T10:00Z',
    '2026-01-01T10:00:00.123456789+05:30',
    '2026-01-01T10:00:00-2359',
    '0001-01-01T00:00Z',
    '0500-03-01T00:00Z',
  ])('takes an instant with its offset: %s', (text) => {
    expect(faultsOf({ instant: text, time: text })).toEqual([]);
  });

  it.each(['2026-01-01', '2026-01-01T10:00'])('takes a time without an offset in a query alone: %s', (text) => {
    expect(faultsOf({ time: text })).toEqual([]);
    expect(faultsOf({ instant: text })).toEqual(['instant']);
  });

  it.each([
    ['a week', '2026-W05-1T10:00Z'],
    ['a day of the year', '2026-100'],
    ['no day', '2026-02-30T10:00Z'],
    ['no hour', '2026-01-01T25:00Z'],
    ['a place in the year 10000 of UTC', '9999-12-31T23:59:59-00:01'],
    ['a place before the year 1 of UTC', '0001-01-01T00:00:00+00:01'],
    ['a year without four digits', '+010000-01-01T00:00:00Z'],
  ])('refuses %s', (_what, text) => {
    expect(faultsOf({ instant: text, time: text })).toEqual(['instant', 'time']);
  });

  it('reads them as UTC where they have no offset', () => {
    const read = ['2026-01-01', '2026-01-01T10:00', '2026-01-01T10:00:00+22:25', '2026-01-01T10:00:00-0230'].map(
      (text) => timeOf(text).toISOString(),
    );
    expect(read).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T10:00:00.000Z',
      '2025-12-31T11:35:00.000Z',
      '2026-01-01T12:30:00.000Z',
    ]);
  });
});
