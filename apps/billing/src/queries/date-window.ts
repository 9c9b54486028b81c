import { AppError, isRealDay } from '@capability-router/kernel';

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
/** Day, time, sign and digits of the zone. A plus that was not percent-encoded arrives as a space. */
const isoPattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+ -])(\d{2})(?::?(\d{2}))?)?$/i;
const DAY_MS = 86_400_000;

/** Half-open: `from` inclusive, `before` exclusive. */
export interface DateWindow {
  readonly from?: Date;
  readonly before?: Date;
}

/** Plain days and ISO datetimes, in UTC where no zone is given; a plain end date covers that whole day. */
export function parseDateWindow(startDate: string | undefined, endDate: string | undefined): DateWindow {
  const from = startDate === undefined ? undefined : parseDate('start_date', startDate);
  const end = endDate === undefined ? undefined : parseDate('end_date', endDate);
  const before = end === undefined ? undefined : new Date(end.at.getTime() + (end.wholeDay ? DAY_MS : 1));
  if (from !== undefined && before !== undefined && before <= from.at) {
    throw invalidQuery('start_date must not be after end_date');
  }
  return { ...(from === undefined ? {} : { from: from.at }), ...(before === undefined ? {} : { before }) };
}

function parseDate(name: string, text: string): { at: Date; wholeDay: boolean } {
  const wholeDay = dayPattern.test(text);
  const [, day = text, time = '00:00', sign, hours = '', minutes = '00'] = isoPattern.exec(text) ?? [];
  if (wholeDay || day !== text) {
    const zone = sign === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
    const at = new Date(`${day}T${time}${zone}`);
    if (!Number.isNaN(at.getTime()) && isRealDay(day)) return { at, wholeDay };
  }
  throw invalidQuery(`Invalid ${name} format. Use YYYY-MM-DD or ISO-8601 datetime.`);
}

export const invalidQuery = (message: string): AppError => new AppError('invalid_query', message);
