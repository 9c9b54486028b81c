import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { placeAndDate, samplePlaceAndDate, utcNoon, wholeSecond } from '../../tool/sun.js';

const loadAstronomy = lazy(() => import('astronomy-engine'));

/** Days around solar noon in which an event of that day must lie. */
const HALF_DAY = 0.5;

export const sunTimes = defineTool({
  toolId: 'almanac.sun.times.v1',
  name: { en: 'Sunrise, sunset and twilight', zh: '日出日落与曙暮光时刻' },
  description: {
    en: 'Tells when the sun rises and sets at a place on a date, with dawn and dusk (civil, nautical, astronomical), solar noon and the length of the day. Astronomical accuracy: seconds.',
    zh: '计算某地某日的日出、日落时刻，以及民用、航海、天文曙暮光、正午时刻与白昼长度，天文级精度（秒级）。',
  },
  categories: ['time-and-calendar', 'geography'],
  capabilities: [{ id: 'astronomy.sun_times', tags: ['sunrise', 'sunset', 'daylight', 'golden hour', 'dawn', 'dusk'] }],
  parameters: placeAndDate,
  sampleParameters: samplePlaceAndDate,
  price: perCall('0.8'),
  run: async (parameters) => {
    const { Body, Observer, SearchAltitude, SearchHourAngle, SearchRiseSet } = await loadAstronomy();
    const longitude = number(parameters, 'longitude');
    const observer = new Observer(number(parameters, 'latitude'), longitude, 0);
    // Noon by the local mean sun is within 20 minutes of the true one: its neighbourhood is the local day.
    const meanNoon = new Date(utcNoon(text(parameters, 'date')).getTime() - (longitude / 360) * 86_400_000);
    const start = new Date(meanNoon.getTime() - HALF_DAY * 86_400_000);
    const noon = SearchHourAngle(Body.Sun, observer, 0, start).time.date;
    const rise = SearchRiseSet(Body.Sun, observer, 1, noon, -HALF_DAY)?.date;
    const set = SearchRiseSet(Body.Sun, observer, -1, noon, HALF_DAY)?.date;
    const twilight = (degrees: number) => ({
      dawn: wholeSecond(SearchAltitude(Body.Sun, observer, 1, midnightBefore(noon), HALF_DAY, degrees)?.date),
      dusk: wholeSecond(SearchAltitude(Body.Sun, observer, -1, noon, HALF_DAY, degrees)?.date),
    });
    return {
      sunrise: wholeSecond(rise),
      sunset: wholeSecond(set),
      solar_noon: wholeSecond(noon),
      day_length_minutes: rise === undefined || set === undefined ? null : minutesBetween(rise, set),
      civil_twilight: twilight(-6),
      nautical_twilight: twilight(-12),
      astronomical_twilight: twilight(-18),
    };
  },
});

const midnightBefore = (noon: Date): Date => new Date(noon.getTime() - HALF_DAY * 86_400_000);
const minutesBetween = (from: Date, to: Date): number => Math.round((to.getTime() - from.getTime()) / 60_000);
