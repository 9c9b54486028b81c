import { describe, expect, it } from '@jest/globals';
import { reportOf, type PlayedFault } from './report.js';
import { seenByClients } from './seen-by-clients.js';

const fault = (name: string, longestMs: number, broken: string[] = []): PlayedFault => ({
  name,
  seen: seenByClients([
    { status: 200, success: true, tookMs: 1 },
    { status: 503, tookMs: longestMs },
    { status: 402, success: false, tookMs: 1 },
  ]),
  lookedUp: 0,
  notes: [`${name} was found out`],
  broken,
});
const run = { startedAt: new Date('2026-11-22T10:00:00Z'), endedAt: new Date('2026-11-22T11:00:00Z') };

describe('the report of a torture', () => {
  it('says what ran, and has a row for each fault with sums and the longest call', () => {
    const played = [fault('one', 100), fault('other', 5), fault('one', 300)];
    const report = reportOf(played, { ...run, seed: 7, booksAgree: true });
    expect(report).toMatch(
      /^Run on 2026-11-22 \(.+\): 3 faults in 60 minutes, seed 7, 9 paid calls\. Promises broken: 0\./,
    );
    expect(report).toContain('The books agree.');
    expect(report).toContain('| one | 2 | 6 | 2 | 0 | 0 | 2 | 1 | 300 | 300 |');
    expect(report.match(/^\| other \|/gm)).toHaveLength(1);
    expect(report).toContain('- other was found out');
    expect(report).not.toContain('not kept');
  });

  it('names what was broken, and does not claim that books agree that nobody compared', () => {
    const report = reportOf([fault('one', 1, ['too slow'])], { ...run, seed: undefined, booksAgree: false });
    expect(report).toContain('- one: too slow');
    expect(report).toMatch(/DO NOT AGREE/);
  });
});
