import type { JsonObject } from '@capability-router/kernel';
import { text } from './parameters.js';
import { ToolInputError } from './tool-input-error.js';

/** Parameters that several tools share, so that a capability can map them by the same names. */

export const countryCode: JsonObject = { type: 'string', pattern: '^[A-Z]{2}$', examples: ['DE', 'CN'] };

export const calendarDate = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;

/** Characters. */
export const MAX_LANGUAGE_SAMPLE_LENGTH = 10_000;

export const languageSample = {
  text: {
    schema: { type: 'string', minLength: 1, maxLength: MAX_LANGUAGE_SAMPLE_LENGTH },
    en: 'Text whose language is wanted. A sentence or more gives the best answer.',
    zh: '要识别语言的文本。一句话以上效果最好。',
    required: true,
  },
} as const;

export const latitude = { type: 'number', minimum: -90, maximum: 90 } as const;
export const longitude = { type: 'number', minimum: -180, maximum: 180 } as const;

export const twoPoints = {
  from_latitude: { schema: latitude, en: 'Latitude of the start, degrees.', zh: '起点纬度（度）。', required: true },
  from_longitude: { schema: longitude, en: 'Longitude of the start, degrees.', zh: '起点经度（度）。', required: true },
  to_latitude: { schema: latitude, en: 'Latitude of the end, degrees.', zh: '终点纬度（度）。', required: true },
  to_longitude: { schema: longitude, en: 'Longitude of the end, degrees.', zh: '终点经度（度）。', required: true },
} as const;

/** Berlin to Paris. */
export const samplePoints = {
  from_latitude: 52.52,
  from_longitude: 13.405,
  to_latitude: 48.8566,
  to_longitude: 2.3522,
} as const;

/** ISO 639-1 where there is one, else ISO 639-3, with the English name. */
export function describeLanguage(code: string): { language: string; language_name: string } {
  const language = Intl.getCanonicalLocales(code)[0] ?? code;
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return { language, language_name: names.of(language) ?? language };
}

/** Turns a throw of a library over the caller's input into the caller's error. */
export function inputError(prefix: string, error: unknown): ToolInputError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolInputError(`${prefix}: ${reason.slice(0, 300)}`, { cause: error });
}

/** A moment with an offset. */
export function momentOf(parameters: JsonObject, name: string): Date {
  const written = text(parameters, name);
  const moment = new Date(written);
  if (!/(?:Z|[+-]\d{2}:?\d{2})$/i.test(written) || !Number.isFinite(moment.getTime())) {
    throw new ToolInputError(
      `Parameter "${name}" is not an ISO 8601 moment. Write it with an offset, such as 2026-07-01T00:00:00Z.`,
    );
  }
  return moment;
}

/** The name of an IANA time zone; UTC where there is none. */
export function timeZoneOf(parameters: JsonObject, name: string): string {
  const timeZone = text(parameters, name, 'UTC');
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch (error) {
    const message = `Parameter "${name}": "${timeZone}" is not an IANA time zone. Write it like "Europe/Berlin".`;
    throw new ToolInputError(message, { cause: error });
  }
}
