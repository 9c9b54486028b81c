import { element } from './elements.js';

/** A time of an answer, to the second and in UTC, as the ledger and its exports have it. */
export function time(iso: string): HTMLTimeElement | string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(iso);
  if (parts === null) return iso;
  return element('time', { datetime: iso }, `${parts[1] ?? ''} ${parts[2] ?? ''} UTC`);
}
