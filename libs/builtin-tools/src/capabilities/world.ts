import { explainCron } from '../providers/almanac/explain-cron.tool.js';
import { sunTimes } from '../providers/almanac/sun-times.tool.js';
import { geodesicDistance } from '../providers/atlas/geodesic-distance.tool.js';
import { cronNext } from '../providers/toolbox/cron-next.tool.js';
import { haversineDistance } from '../providers/toolbox/haversine-distance.tool.js';
import { sunEstimate } from '../providers/toolbox/sun-estimate.tool.js';
import { candidate, defineCapability } from './define-capability.js';

const moment = (description: string) => ({ type: ['string', 'null'], description });

export const worldCapabilities = [
  defineCapability({
    capabilityId: 'geo.distance',
    name: { en: 'Distance between two points', zh: '两点距离' },
    description: {
      en: 'Measures the distance between two coordinates on the Earth.',
      zh: '测量地球上两坐标之间的距离。',
    },
    parameters: geodesicDistance,
    result: {
      distance_km: { type: 'number', minimum: 0, unit: 'km', description: 'How far apart they are.' },
      method: { type: 'string', enum: ['geodesic', 'great_circle'], description: 'How it was measured.' },
    },
    sampleParameters: { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 },
    candidates: [candidate(geodesicDistance), candidate(haversineDistance)],
  }),
  defineCapability({
    capabilityId: 'astronomy.sun_times',
    name: { en: 'Sunrise and sunset', zh: '日出日落' },
    description: {
      en: 'Tells when the sun rises and sets at a place on a day, and when twilight begins and ends.',
      zh: '查询某地某日的日出、日落及曙暮光时刻。',
    },
    parameters: sunTimes,
    result: {
      sunrise: moment('UTC; null where the sun does not rise on that day.'),
      sunset: moment('UTC; null where the sun does not set on that day.'),
      solar_noon: moment('UTC.'),
      civil_dawn: moment('UTC; the sun is 6° below the horizon.'),
      civil_dusk: moment('UTC; the sun is 6° below the horizon.'),
    },
    sampleParameters: { latitude: 31.23, longitude: 121.47, date: '2026-03-20' },
    candidates: [
      candidate(sunTimes, {
        result: {
          sunrise: { from: '$.sunrise' },
          sunset: { from: '$.sunset' },
          solar_noon: { from: '$.solar_noon' },
          civil_dawn: { from: '$.civil_twilight.dawn' },
          civil_dusk: { from: '$.civil_twilight.dusk' },
        },
      }),
      candidate(sunEstimate),
    ],
  }),
  defineCapability({
    capabilityId: 'time.cron_schedule',
    name: { en: 'Next runs of a cron schedule', zh: 'cron 后续执行时间' },
    description: { en: 'Lists when a cron expression fires next.', zh: '列出 cron 表达式接下来的触发时刻。' },
    parameters: cronNext,
    result: {
      time_zone: { type: 'string', description: 'IANA time zone of the schedule.' },
      next_runs: { type: 'array', items: { type: 'string' }, description: 'ISO 8601 in UTC, soonest first.' },
    },
    sampleParameters: { expression: '0 9 * * 1-5', time_zone: 'Asia/Shanghai', after: '2026-01-01T00:00:00Z' },
    candidates: [candidate(cronNext), candidate(explainCron)],
  }),
];
