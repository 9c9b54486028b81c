import { isRealDay } from '@capability-router/kernel';
import { CommandError, exitCodes } from '../terminal.js';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since the epoch; of a plain day its begin, or with `end` the begin of the next. @throws CommandError */
export function parseInstant(option: string, text: string, edge: 'start' | 'end'): number {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : INSTANT.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms) || !isRealDay(text.slice(0, 'YYYY-MM-DD'.length))) {
    throw new CommandError(exitCodes.usage, `${option}: "${text}" is no day and no time`, [
      'Give a day such as 2026-01-31 (UTC), or a time with its zone such as 2026-01-31T08:00:00Z.',
    ]);
  }
  return DAY.test(text) && edge === 'end' ? ms + DAY_MS : ms;
}
