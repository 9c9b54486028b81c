import { isRealDay } from '@capability-router/kernel';
import { applyDecorators } from '@nestjs/common';
import { IsISO8601, Matches, ValidateBy } from 'class-validator';

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const clock = String.raw`T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`;
const offset = String.raw`(?:Z|[+-]\d{2}:?\d{2})`;
const instantPattern = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}${clock}${offset}$`);
const timePattern = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}(?:${clock}${offset}?)?$`);

/** A date and time with its offset in a body, so that nobody's time zone decides. */
export const Instant = (): PropertyDecorator =>
  applyDecorators(
    IsISO8601(),
    Matches(instantPattern, { message: '$property must be an ISO 8601 date and time with its offset' }),
    WithinCalendar(),
  );

/** A day, or a date and time, in a query: of UTC where it has no offset. `timeOf` reads it. */
export const Time = (): PropertyDecorator =>
  applyDecorators(
    Matches(timePattern, { message: '$property must be an ISO 8601 date, or a date and time' }),
    WithinCalendar(),
  );

/** Reads a text that `Instant` or `Time` has let through. PostgreSQL is given the result: it knows no offset of 16 hours. */
export const timeOf = (text: string): Date =>
  new Date(dayPattern.test(text) || instantPattern.test(text) ? text : `${text}Z`);

/** A day that there is. An offset can lead out of the years that have four digits, which PostgreSQL reads otherwise. */
const WithinCalendar = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWithinCalendar',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && isRealDay(value.slice(0, DAY_LENGTH)) && isWithinYears(timeOf(value)),
      defaultMessage: () => '$property must be a day that there is, in the years 0001 to 9999 of UTC',
    },
  });

function isWithinYears(at: Date): boolean {
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9_999;
}
