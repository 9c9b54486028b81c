import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { calendarDate } from '../../tool/shared-parameters.js';
import { utcNoon } from '../../tool/sun.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadTyme = lazy(() => import('tyme4ts'));

/** Years in which the calendar had its present rules, as far as they are computed. */
const FIRST_YEAR = 1645;
const LAST_YEAR = 3000;

const animals = [
  'Rat',
  'Ox',
  'Tiger',
  'Rabbit',
  'Dragon',
  'Snake',
  'Horse',
  'Goat',
  'Monkey',
  'Rooster',
  'Dog',
  'Pig',
] as const;

export const chineseCalendar = defineTool({
  toolId: 'almanac.chinese_calendar.convert.v1',
  name: { en: 'Chinese lunar calendar of a date', zh: '公历转农历' },
  description: {
    en: 'Converts a date to the Chinese lunar calendar: lunar month and day, zodiac animal, sexagenary (stem-branch) year, month and day, solar term and traditional festival.',
    zh: '将公历日期转换为农历：农历年月日、生肖、干支纪年月日、二十四节气与传统节日。',
  },
  categories: ['time-and-calendar'],
  capabilities: [
    {
      id: 'calendar.chinese_lunar',
      tags: ['lunar calendar', 'zodiac', 'solar term', 'Chinese New Year', '农历', '黄历'],
    },
  ],
  parameters: {
    date: {
      schema: calendarDate,
      en: 'Gregorian date, YYYY-MM-DD, from 1645 to 3000.',
      zh: '公历日期 YYYY-MM-DD，1645 至 3000 年。',
      required: true,
    },
  },
  sampleParameters: { date: '2026-02-17' },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { SolarDay } = await loadTyme();
    const noon = utcNoon(text(parameters, 'date'));
    if (noon.getUTCFullYear() < FIRST_YEAR || noon.getUTCFullYear() > LAST_YEAR) {
      throw new ToolInputError(
        `The calendar is known from ${FIRST_YEAR} to ${LAST_YEAR}. Give a "date" in these years.`,
      );
    }
    const day = SolarDay.fromYmd(noon.getUTCFullYear(), noon.getUTCMonth() + 1, noon.getUTCDate());
    const lunar = day.getLunarDay();
    const sixty = day.getSixtyCycleDay();
    const year = lunar.getLunarMonth().getLunarYear();
    const animal = year.getSixtyCycle().getEarthBranch().getZodiac();
    const term = day.getTermDay();
    return {
      lunar_year: lunar.getYear(),
      lunar_month: Math.abs(lunar.getMonth()),
      leap_month: lunar.getMonth() < 0,
      lunar_day: lunar.getDay(),
      text: `${lunar.getLunarMonth().toString()}${lunar.getName()}`,
      zodiac: animals[animal.getIndex()] ?? '',
      zodiac_zh: animal.getName(),
      stem_branch: {
        year: year.getSixtyCycle().getName(),
        month: sixty.getMonth().getName(),
        day: sixty.getSixtyCycle().getName(),
      },
      solar_term: term.getSolarTerm().getName(),
      days_into_solar_term: term.getDayIndex(),
      festival: lunar.getFestival()?.getName() ?? null,
    };
  },
});
