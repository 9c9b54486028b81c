import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { placeAndDate, samplePlaceAndDate, utcNoon, wholeSecond } from '../../tool/sun.js';

const loadSunCalc = lazy(() => import('suncalc'));

export const sunEstimate = defineTool({
  toolId: 'toolbox.sun.estimate.v1',
  name: { en: 'Approximate sunrise and sunset', zh: '日出日落快速估算' },
  description: {
    en: 'Estimates sunrise, sunset, civil dawn and dusk and the evening golden hour for a place and a day, within about a minute. Cheap.',
    zh: '快速估算某地某日的日出、日落、民用晨昏与傍晚黄金时刻，误差约一分钟以内，价格低廉。',
  },
  categories: ['time-and-calendar', 'geography'],
  capabilities: [{ id: 'astronomy.sun_times', tags: ['sunrise', 'sunset', 'daylight', 'photography'] }],
  parameters: placeAndDate,
  sampleParameters: samplePlaceAndDate,
  price: perCall('0.2'),
  run: async (parameters) => {
    const { getTimes } = await loadSunCalc();
    const noon = utcNoon(text(parameters, 'date'));
    const times = getTimes(noon, number(parameters, 'latitude'), number(parameters, 'longitude'));
    return {
      sunrise: wholeSecond(times.sunrise),
      sunset: wholeSecond(times.sunset),
      solar_noon: wholeSecond(times.solarNoon),
      civil_dawn: wholeSecond(times.dawn),
      civil_dusk: wholeSecond(times.dusk),
      golden_hour_start: wholeSecond(times.goldenHour),
    };
  },
});
