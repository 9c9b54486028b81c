import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { rounded } from '../../tool/numbers.js';
import { perCall } from '../../tool/prices.js';
import { calendarDate } from '../../tool/shared-parameters.js';
import { utcNoon, wholeSecond } from '../../tool/sun.js';

const loadAstronomy = lazy(() => import('astronomy-engine'));

const quarters = ['new_moon', 'first_quarter', 'full_moon', 'last_quarter'] as const;
const phases = [
  'new_moon',
  'waxing_crescent',
  'first_quarter',
  'waxing_gibbous',
  'full_moon',
  'waning_gibbous',
  'last_quarter',
  'waning_crescent',
] as const;

export const moonPhase = defineTool({
  toolId: 'almanac.moon.phase.v1',
  name: { en: 'Phase of the moon', zh: '月相查询' },
  description: {
    en: 'Tells the phase of the moon on a date, how much of it is lit, and when the next new moon, first quarter, full moon and last quarter are.',
    zh: '查询某日的月相与被照亮的比例，以及接下来的新月、上弦、满月、下弦的时刻。',
  },
  categories: ['time-and-calendar'],
  capabilities: [{ id: 'astronomy.moon_phase', tags: ['full moon', 'new moon', 'lunar phase', 'night sky'] }],
  parameters: {
    date: {
      schema: calendarDate,
      en: 'Day, YYYY-MM-DD; the phase is that of 12:00 UTC.',
      zh: '日期 YYYY-MM-DD；按 UTC 12:00 计算月相。',
      required: true,
    },
  },
  sampleParameters: { date: '2026-01-03' },
  price: perCall('0.3'),
  run: async (parameters) => {
    const { Body, Illumination, MoonPhase, NextMoonQuarter, SearchMoonQuarter } = await loadAstronomy();
    const moment = utcNoon(text(parameters, 'date'));
    const angle = MoonPhase(moment);
    let quarter = SearchMoonQuarter(moment);
    const next = quarters.map(() => {
      const entry = { phase: quarters[quarter.quarter] ?? '', time: wholeSecond(quarter.time.date) };
      quarter = NextMoonQuarter(quarter);
      return entry;
    });
    return {
      phase: phases[Math.round(angle / 45) % phases.length] ?? '',
      phase_angle_degrees: rounded(angle, 2),
      illuminated_percent: rounded(Illumination(Body.Moon, moment).phase_fraction * 100, 1),
      next,
    };
  },
});
