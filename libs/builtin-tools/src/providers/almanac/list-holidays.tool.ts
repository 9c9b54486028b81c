import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalNumber, optionalText, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { calendarDate, countryCode } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadHolidays = lazy(async () => {
  const { default: Holidays } = await import('date-holidays');
  return { Holidays, countries: new Set(Object.keys(new Holidays().getCountries('en'))) };
});

const DAY_MS = 86_400_000;

export const listHolidays = defineTool({
  toolId: 'almanac.holiday.list.v1',
  name: { en: 'Public holidays of a country', zh: '各国公共假日' },
  description: {
    en: 'Lists the public holidays of a country, state or region in a year, or tells which holiday falls on a date. Over 200 countries.',
    zh: '列出某国、州或地区某一年的公共假日，或查询某日是否为假日。覆盖 200 多个国家和地区。',
  },
  categories: ['time-and-calendar'],
  capabilities: [{ id: 'calendar.public_holidays', tags: ['bank holiday', 'day off', 'national day'] }],
  parameters: {
    country_code: {
      schema: countryCode,
      en: 'ISO 3166-1 alpha-2 code.',
      zh: 'ISO 3166-1 两位国家代码。',
      required: true,
    },
    subdivision: {
      schema: { type: 'string', pattern: '^[A-Za-z0-9-]{1,10}$' },
      en: 'State or region code within the country, such as "BY" for Bavaria.',
      zh: '国家内的州或地区代码，如巴伐利亚 "BY"。',
    },
    year: { schema: { type: 'integer', minimum: 1970, maximum: 2100 }, en: 'Calendar year.', zh: '公历年份。' },
    date: {
      schema: calendarDate,
      en: 'One day, YYYY-MM-DD. Empty result when it is no holiday.',
      zh: '某一天 YYYY-MM-DD；非假日时结果为空。',
    },
    type: {
      schema: { type: 'string', enum: ['public', 'bank', 'school', 'optional', 'observance'], default: 'public' },
      en: 'Kind of holiday.',
      zh: '假日类型。',
    },
    language: {
      schema: { type: 'string', pattern: '^[a-z]{2}$', default: 'en' },
      en: 'Language of the names, if the data has it.',
      zh: '假日名称的语言（如数据提供）。',
    },
  },
  oneOfRequired: [['year', 'date']],
  sampleParameters: { country_code: 'DE', year: 2026 },
  price: perCall('1'),
  run: async (parameters) => {
    const { Holidays, countries } = await loadHolidays();
    const country = text(parameters, 'country_code');
    if (!countries.has(country)) throw new ToolInputError(`There is no holiday calendar for country "${country}".`);
    const calendar = new Holidays(country, optionalText(parameters, 'subdivision')?.toUpperCase() ?? '', {
      languages: [text(parameters, 'language', 'en'), 'en'],
    });
    const date = optionalText(parameters, 'date');
    const year = date === undefined ? optionalNumber(parameters, 'year') : Number(date.slice(0, 4));
    if (year === undefined) throw new ToolInputError('Give "year" or "date".');
    const type = text(parameters, 'type', 'public');
    const rows = calendar
      .getHolidays(year)
      .filter((holiday) => holiday.type === type)
      .map((holiday) => {
        const first = holiday.date.slice(0, 10);
        const days = Math.max(1, Math.round((holiday.end.getTime() - holiday.start.getTime()) / DAY_MS));
        return { date: first, days, name: holiday.name, type: holiday.type, substitute: holiday.substitute === true };
      })
      .filter((row) => date === undefined || covers(row.date, row.days, date));
    return { country_code: country, year, rows };
  },
});

function covers(first: string, days: number, date: string): boolean {
  const offset = (Date.parse(date) - Date.parse(first)) / DAY_MS;
  return offset >= 0 && offset < days;
}
