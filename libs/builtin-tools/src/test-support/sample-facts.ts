import type { JsonValue } from '@capability-router/kernel';
import { textFacts } from './text-facts.js';
import { technicalFacts } from './technical-facts.js';

const worldFacts: Readonly<Record<string, JsonValue>> = {
  'formula.expression.evaluate.v1': { value: 5, text: '5', type: 'number' },
  'formula.unit.convert.v1': { value: 8.04672, unit: 'km', text: '8.04672 km' },
  'formula.statistics.describe.v1': { count: 8, sum: 40, mean: 5, median: 4.5, minimum: 2, maximum: 9 },
  'almanac.time.convert.v1': {
    utc: '2026-07-01T10:00:00Z',
    conversions: [
      {
        zone: 'America/New_York',
        local_time: '2026-07-01T06:00:00-04:00',
        utc_offset_minutes: -240,
        abbreviation: 'EDT',
        daylight_saving: true,
        weekday: 'Wednesday',
      },
      {
        zone: 'Asia/Shanghai',
        local_time: '2026-07-01T18:00:00+08:00',
        utc_offset_minutes: 480,
        abbreviation: 'GMT+8',
        daylight_saving: false,
        weekday: 'Wednesday',
      },
    ],
  },
  'almanac.date.difference.v1': {
    days: 73,
    weekdays: 52,
    years: 0,
    months: 2,
    remaining_days: 14,
    iso_duration: 'P2M14D',
  },
  'almanac.holiday.list.v1': { country_code: 'DE', year: 2026 },
  'atlas.country.facts.v1': {
    country_code: 'DE',
    alpha_3_code: 'DEU',
    name: 'Germany',
    native_name: 'Deutschland',
    capital: 'Berlin',
    continent: 'Europe',
    currencies: ['EUR'],
    languages: [{ code: 'de', name: 'German' }],
    calling_codes: ['+49'],
  },
  'atlas.city.list.v1': {
    rows: [
      {
        geoname_id: 2950159,
        name: 'Berlin',
        country_code: 'DE',
        admin_code: '16',
        population: 3_426_354,
        latitude: 52.52437,
        longitude: 13.41053,
        capital: true,
      },
      { name: 'Hamburg', capital: false },
      { name: 'Munich', capital: false },
    ],
  },
  // GeodSolve of GeographicLib, and the haversine formula with a radius of 6,378.137 km.
  'atlas.distance.geodesic.v1': { distance_km: 879.699, method: 'geodesic', initial_bearing_degrees: 246.81 },
  'toolbox.distance.haversine.v1': { distance_km: 878.446, method: 'great_circle' },
  'lingua.language.detect.v1': { language: 'de', language_name: 'German' },
  'toolbox.language.identify.v1': { language: 'de', language_name: 'German' },
  'lingua.sentiment.score.v1': {
    label: 'positive',
    score: 3,
    word_count: 10,
    positive_words: ['great', 'love'],
    negative_words: ['awful'],
  },
  'lingua.phone.check.v1': {
    valid: true,
    possible: true,
    e164: '+4930901820',
    international: '+49 30 901820',
    national: '030 901820',
    calling_code: '+49',
    country_code: 'DE',
    line_type: 'fixed_line',
  },
  'toolbox.csv.to_json.v1': {
    columns: ['city', 'population'],
    row_count: 2,
    rows: [
      { city: 'Berlin', population: 3_426_354 },
      { city: 'Hamburg', population: 1_739_117 },
    ],
  },
  'toolbox.json.to_csv.v1': {
    csv: 'city,population\r\nBerlin,3426354\r\n"Hamburg, Hanse",1739117',
    row_count: 2,
    column_count: 2,
  },
  'toolbox.qr.svg.v1': { media_type: 'image/svg+xml', version: 2, modules_per_side: 25 },
  'formula.regression.fit.v1': { count: 5, slope: 2, intercept: 1, correlation: 1, r_squared: 1, predicted_y: 21 },
  // The longest day of 2026 in Berlin: 04:43 to 21:33 local time by any almanac.
  'almanac.sun.times.v1': {
    sunrise: '2026-06-21T02:43:08Z',
    sunset: '2026-06-21T19:33:14Z',
    solar_noon: '2026-06-21T11:08:11Z',
    day_length_minutes: 1010,
    civil_twilight: { dawn: '2026-06-21T01:52:52Z', dusk: '2026-06-21T20:23:31Z' },
    astronomical_twilight: { dawn: null, dusk: null },
  },
  'toolbox.sun.estimate.v1': { sunrise: '2026-06-21T02:43:06Z', sunset: '2026-06-21T19:33:19Z' },
  // Full moon on 3 January 2026 at 10:03 UTC; the next on 1 February at 22:09.
  'almanac.moon.phase.v1': {
    phase: 'full_moon',
    illuminated_percent: 99.9,
    next: [
      { phase: 'last_quarter', time: '2026-01-10T15:49:03Z' },
      { phase: 'new_moon', time: '2026-01-18T19:52:39Z' },
      { phase: 'first_quarter', time: '2026-01-26T04:47:56Z' },
      { phase: 'full_moon', time: '2026-02-01T22:09:50Z' },
    ],
  },
  'almanac.cron.explain.v1': {
    explanation: 'Every 15 minutes, between 09:00 and 17:59, Monday through Friday',
    explanation_zh: '每隔 15 分钟, 在 09:00 和 17:59 之间, 星期一至星期五',
    next_runs: ['2026-07-06T07:00:00Z', '2026-07-06T07:15:00Z', '2026-07-06T07:30:00Z'],
  },
  'toolbox.cron.next.v1': {
    time_zone: 'Europe/Berlin',
    next_runs: ['2026-07-06T07:00:00Z', '2026-07-06T07:15:00Z', '2026-07-06T07:30:00Z'],
  },
  // Chinese New Year of the year of the horse.
  'almanac.chinese_calendar.convert.v1': {
    lunar_year: 2026,
    lunar_month: 1,
    leap_month: false,
    lunar_day: 1,
    text: '农历丙午年正月初一',
    zodiac: 'Horse',
    zodiac_zh: '马',
    stem_branch: { year: '丙午', month: '庚寅', day: '壬戌' },
    solar_term: '立春',
    festival: '春节',
  },
  'atlas.currency.facts.v1': {
    rows: [{ code: 'JPY', number: '392', name: 'Japanese Yen', name_zh: '日元', symbol: '¥', decimal_places: 0 }],
  },
  'toolbox.numbers.summarize.v1': { n: 8, sum: 121, average: 15.125, median: 4.5, mode: 4, outliers: [90] },
};

/** The answer of each tool to its sample parameters: facts that anybody can look up. */
export const sampleFacts: Readonly<Record<string, JsonValue>> = { ...worldFacts, ...textFacts, ...technicalFacts };
