import { describe, expect, it } from '@jest/globals';
import { summaryDates, summaryWindow } from './summary-window.js';

const NOW = Date.UTC(2026, 3, 10, 12);
const dates = (query: Parameters<typeof summaryWindow>[0]) => summaryDates(summaryWindow(query, NOW));

describe('the range of a summary', () => {
  it('is the last 24 hours, by hour, where no date is sent', () => {
    expect(dates({})).toEqual({
      start_date: '2026-04-09T12:00:00.000Z',
      end_date: '2026-04-10T12:00:00.000Z',
      bucket: 'hour',
    });
    expect(dates({ bucket: 'week' })['bucket']).toBe('week');
  });

  it('covers the whole of a plain end day, and is open where a date is left out', () => {
    expect(dates({ start_date: '2026-04-01', end_date: '2026-04-01' })).toEqual({
      start_date: '2026-04-01T00:00:00.000Z',
      end_date: '2026-04-01T23:59:59.999Z',
      bucket: 'hour',
    });
    expect(dates({ end_date: '2026-04-01T10:00:00+02:00' })).toEqual({
      start_date: null,
      end_date: '2026-04-01T08:00:00.000Z',
      bucket: 'day',
    });
    expect(dates({ start_date: '2026-04-10' })).toMatchObject({ end_date: null, bucket: 'hour' });
  });

  it.each([
    ['2026-04-01', '2026-04-03', 'hour'],
    ['2026-04-01', '2026-04-04', 'day'],
    ['2026-04-01T10:00', '2026-04-04T10:00', 'hour'],
    ['2026-04-01T10:00', '2026-04-04T10:00:00.001', 'day'],
    ['2026-04-07T12:00', undefined, 'hour'],
    ['2026-04-07T11:59', undefined, 'day'],
  ])('from %s to %s is shown by %3$s: by day beyond three days', (start, end, bucket) => {
    const query = { start_date: start, ...(end === undefined ? {} : { end_date: end }) };
    expect(dates(query)['bucket']).toBe(bucket);
  });
});
