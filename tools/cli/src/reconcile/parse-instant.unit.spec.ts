import { describe, expect, it } from '@jest/globals';
import { exitCodes } from '../terminal.js';
import { parseInstant } from './parse-instant.js';

describe('a time on the command line', () => {
  it.each([
    ['2026-01-31', 'start', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31', 'end', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T08:00:00+02:00', 'start', '2026-01-31T06:00:00.000Z'],
    ['2026-01-31T08:00Z', 'end', '2026-01-31T08:00:00.000Z'],
  ] as const)('reads %s as %s', (text, edge, expected) => {
    expect(new Date(parseInstant('--from', text, edge)).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T08:00:00',
    '1769846400',
    '2026-01-31T25:00:00Z',
    '2026-02-30T08:00:00Z',
  ])('refuses "%s"', (text) => {
    expect(() => parseInstant('--to', text, 'end')).toThrow(expect.objectContaining({ exitCode: exitCodes.usage }));
  });
});
