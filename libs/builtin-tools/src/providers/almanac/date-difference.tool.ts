import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { calendarDate } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadLuxon = lazy(() => import('luxon'));

export const dateDifference = defineTool({
  toolId: 'almanac.date.difference.v1',
  name: { en: 'Difference between two dates', zh: '日期间隔计算' },
  description: {
    en: 'Counts the time from one calendar date to another: days, working days (Monday to Friday), and years, months and days. Negative when the end comes first.',
    zh: '计算两个日历日期之间的间隔：天数、工作日数（周一至周五）以及年、月、日。结束日期在前时为负。',
  },
  categories: ['time-and-calendar'],
  capabilities: [{ id: 'calendar.date_difference', tags: ['days between', 'business days', 'age'] }],
  parameters: {
    start_date: {
      schema: calendarDate,
      en: 'First day, YYYY-MM-DD, counted.',
      zh: '起始日期 YYYY-MM-DD（计入）。',
      required: true,
    },
    end_date: {
      schema: calendarDate,
      en: 'Last day, YYYY-MM-DD, not counted.',
      zh: '结束日期 YYYY-MM-DD（不计入）。',
      required: true,
    },
  },
  sampleParameters: { start_date: '2026-01-01', end_date: '2026-03-15' },
  price: perCall('0.1'),
  run: async (parameters) => {
    const { DateTime } = await loadLuxon();
    const read = (name: string) => {
      const date = DateTime.fromISO(text(parameters, name), { zone: 'utc' });
      if (!date.isValid) throw new ToolInputError(`Parameter "${name}" is not a calendar date.`);
      return date;
    };
    const [start, end] = [read('start_date'), read('end_date')];
    const days = end.diff(start, 'days').days;
    const [first, sign] = days < 0 ? [end, -1] : [start, 1];
    const parts = end.diff(start, ['years', 'months', 'days']);
    return {
      days,
      weekdays: weekdaysFrom(first.weekday, Math.abs(days)) * sign || 0,
      years: parts.years,
      months: parts.months,
      remaining_days: parts.days,
      iso_duration: parts.toISO(),
    };
  },
});

/** Mondays to Fridays among `days` days of which the first is `weekday` (1 = Monday). */
function weekdaysFrom(weekday: number, days: number): number {
  let count = Math.floor(days / 7) * 5;
  for (let offset = 0; offset < days % 7; offset += 1) {
    if ((weekday - 1 + offset) % 7 < 5) count += 1;
  }
  return count;
}
