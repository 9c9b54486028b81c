import type { ParameterDefinitions } from './define-tool.js';
import { calendarDate, latitude, longitude } from './shared-parameters.js';
import { ToolInputError } from './tool-input-error.js';

/** Code that the tools of the capability `astronomy.sun_times` share. */

export const placeAndDate = {
  latitude: {
    schema: latitude,
    en: 'Latitude of the place, degrees, north positive.',
    zh: '地点纬度（度），北纬为正。',
    required: true,
  },
  longitude: {
    schema: longitude,
    en: 'Longitude of the place, degrees, east positive.',
    zh: '地点经度（度），东经为正。',
    required: true,
  },
  date: {
    schema: calendarDate,
    en: 'Day at the place, YYYY-MM-DD. Times in the answer are UTC.',
    zh: '当地日期 YYYY-MM-DD。结果中的时刻为 UTC。',
    required: true,
  },
} satisfies ParameterDefinitions;

/** Berlin on the longest day. */
export const samplePlaceAndDate = { latitude: 52.52, longitude: 13.405, date: '2026-06-21' } as const;

export function utcNoon(date: string): Date {
  const noon = new Date(`${date}T12:00:00Z`);
  if (!Number.isFinite(noon.getTime()) || noon.toISOString().slice(0, 10) !== date) {
    throw new ToolInputError('Parameter "date" is not a calendar date. Write it as YYYY-MM-DD, such as 2026-06-21.');
  }
  return noon;
}

/** ISO 8601 in UTC to the second; null where the sun does not do that on that day. */
export function wholeSecond(moment: Date | null | undefined): string | null {
  if (moment === null || moment === undefined || !Number.isFinite(moment.getTime())) return null;
  return new Date(Math.round(moment.getTime() / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
}
