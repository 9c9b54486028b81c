import { describe, expect, it } from '@jest/globals';
import { runTool } from '../../test-support/run-tool.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

describe('the times of the sun', () => {
  const times = (latitude: number, longitude: number, date: string) =>
    runTool('almanac.sun.times.v1', { latitude, longitude, date });

  it('belong to the local day, on either side of the date line', async () => {
    // Auckland on 1 January 2026: sunrise 06:05, sunset 20:43 at UTC+13. Honolulu: 07:09 and 18:01 at UTC−10.
    expect(await times(-36.85, 174.76, '2026-01-01')).toMatchObject({
      sunrise: expect.stringMatching(/^2025-12-31T17:0[4-6]/),
      sunset: expect.stringMatching(/^2026-01-01T07:4[2-4]/),
    });
    expect(await times(21.31, -157.86, '2026-01-01')).toMatchObject({
      sunrise: expect.stringMatching(/^2026-01-01T17:(08|09|10)/),
      sunset: expect.stringMatching(/^2026-01-02T04:0[0-2]/),
    });
  });

  it.each(['2026-06-21', '2026-12-21'])('have no rise and no set beyond the polar circle on %s', async (date) => {
    expect(await times(78.22, 15.64, date)).toMatchObject({ sunrise: null, sunset: null, day_length_minutes: null });
    const estimate = await runTool('toolbox.sun.estimate.v1', { latitude: 78.22, longitude: 15.64, date });
    expect(estimate).toMatchObject({ sunrise: null, sunset: null });
  });

  it('are the same by two libraries within a minute', async () => {
    for (const month of ['01', '04', '07', '10']) {
      const place = { latitude: 40.71, longitude: -74.01, date: `2026-${month}-15` };
      const [exact, quick] = [
        await runTool('almanac.sun.times.v1', place),
        await runTool('toolbox.sun.estimate.v1', place),
      ];
      for (const name of ['sunrise', 'sunset', 'solar_noon']) {
        const apart = Math.abs(momentOf(exact, name) - momentOf(quick, name));
        expect(apart).toBeLessThan(60_000);
      }
    }
  });
});

function momentOf(answer: unknown, name: string): number {
  return Date.parse(String((answer as Record<string, unknown>)[name]));
}

describe('a cron schedule', () => {
  const parameters = { expression: '30 3 * * *', time_zone: 'Europe/Berlin', after: '2026-03-28T00:00:00Z', count: 2 };

  it.each(['almanac.cron.explain.v1', 'toolbox.cron.next.v1'])(
    '%s keeps its zone when the clock changes',
    async (id) => {
      // Summer time begins on 29 March 2026.
      expect(await runTool(id, parameters)).toMatchObject({
        next_runs: ['2026-03-28T02:30:00Z', '2026-03-29T01:30:00Z'],
      });
    },
  );

  it.each(['almanac.cron.explain.v1', 'toolbox.cron.next.v1'])('%s says what to write instead', async (id) => {
    const run = (over: object) => runTool(id, { ...parameters, ...over });
    await expect(run({ expression: '99 * * * *' })).rejects.toThrow(ToolInputError);
    await expect(run({ expression: 'every day' })).rejects.toThrow('Give five fields');
    await expect(run({ time_zone: 'Mars/Base' })).rejects.toThrow('Europe/Berlin');
    await expect(run({ after: '2026-03-28' })).rejects.toThrow('offset');
  });
});

it('knows leap months and festivals of the Chinese calendar', async () => {
  expect(await runTool('almanac.chinese_calendar.convert.v1', { date: '2025-07-25' })).toMatchObject({
    lunar_month: 6,
    leap_month: true,
    lunar_day: 1,
    zodiac: 'Snake',
  });
  expect(await runTool('almanac.chinese_calendar.convert.v1', { date: '2026-09-25' })).toMatchObject({
    lunar_month: 8,
    lunar_day: 15,
    festival: '中秋节',
  });
});

it.each(['0001-01-01', '1644-12-31', '9999-12-31'])('has no Chinese calendar for %s', async (date) => {
  await expect(runTool('almanac.chinese_calendar.convert.v1', { date })).rejects.toThrow('1645');
});

it.each(['almanac.moon.phase.v1', 'almanac.chinese_calendar.convert.v1'])(
  '%s refuses a day that is none',
  async (id) => {
    await expect(runTool(id, { date: '2026-02-30' })).rejects.toThrow('YYYY-MM-DD');
  },
);
