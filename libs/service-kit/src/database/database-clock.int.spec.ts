import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import pg from 'pg';
import { DatabaseClock } from './database-clock.js';

const HOUR_MS = 3_600_000;
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: process.env['TEST_POSTGRES_URL'], max: 2 });
});
afterAll(() => pool.end());

/** Milliseconds since the epoch, as the database has it. */
async function databaseMs(): Promise<number> {
  const { rows } = await pool.query<{ ms: string }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  return Number(rows[0]?.ms);
}

const skewed = (byMs: number) => ({ nowMs: () => Date.now() + byMs });

describe('the clock of a database', () => {
  it.each([0, HOUR_MS, -HOUR_MS])('tells the time of the database where the machine is %d ms off', async (byMs) => {
    const clock = await DatabaseClock.over(pool, { local: skewed(byMs) });
    for (let turn = 0; turn < 20; turn += 1) {
      const before = await databaseMs();
      const told = clock.nowMs();
      const after = await databaseMs();
      // Bounded by what was asked before and after, and by the round trip of the first question.
      expect(told).toBeGreaterThanOrEqual(Math.floor(before) - 1_000);
      expect(told).toBeLessThanOrEqual(after + 1_000);
    }
    expect(Math.abs(clock.skewMs() - byMs)).toBeLessThan(1_000);
  });

  it('says what is wrong with the machine above two seconds, and makes it not ready', async () => {
    const ready = { ready: true, detail: 'ready' };
    for (const byMs of [0, 900, -900]) {
      expect((await DatabaseClock.over(pool, { local: skewed(byMs) })).judge(ready)).toEqual(ready);
    }
    const ahead = await DatabaseClock.over(pool, { local: skewed(10_000) });
    expect(ahead.judge(ready)).toEqual({ ready: false, detail: expect.stringMatching(/\d s ahead of the database's/) });
    const behind = await DatabaseClock.over(pool, { local: skewed(-10_000) });
    expect(behind.judge(ready)).toEqual({ ready: false, detail: expect.stringMatching(/\d s behind the database's/) });
  });

  it('finds out that the clock of the machine or of the database was set, and otherwise never runs back', async () => {
    let machineMs = 0;
    let monotonicMs = 1_000;
    let setByMs = 0;
    const answers = {
      query: () => {
        monotonicMs += 2;
        return Promise.resolve({ rows: [{ ms: String(1_700_000_000_000 + monotonicMs - 1 + setByMs) }] });
      },
    } as unknown as pg.Pool;
    const local = { nowMs: () => 1_700_000_000_000 + monotonicMs + machineMs };
    const clock = await DatabaseClock.over(answers, { local, monotonicMs: () => monotonicMs });
    const later = async (): Promise<void> => {
      monotonicMs += 5_000;
      clock.nowMs();
      await clock.settled();
    };
    expect(clock.trouble()).toBeUndefined();
    machineMs = 5_000;
    expect(clock.trouble()).toContain('5.0 s ahead');
    machineMs = 0;
    let last = clock.nowMs();
    for (let turn = 0; turn < 10; turn += 1) {
      await later();
      expect(clock.nowMs()).toBeGreaterThanOrEqual(last);
      last = clock.nowMs();
    }
    setByMs = -HOUR_MS;
    await later();
    expect(last - clock.nowMs()).toBeGreaterThan(HOUR_MS / 2);
    expect(clock.trouble()).toContain('ahead of');
  });

  it('leaves a time that a test moves by hand as it is', async () => {
    const local = new ManualClock(7);
    const clock = await DatabaseClock.over(pool, { local });
    local.advanceMs(1);
    expect([clock.nowMs(), clock.trouble()]).toEqual([8, undefined]);
  });
});
