const digits = (number: string, length: number): string => number.padStart(length, '0');
const time = '2026-01-01T00:00:00';

/** A recorded body with values of the right form in place of its placeholders, so that schemas can judge it. */
export const fillPlaceholders = (body: string): string =>
  body
    .replaceAll(/<claim code (\d+)>/g, (_whole, number: string) => `clm_${digits(number, 26)}`)
    .replaceAll(/_<(\d+)>/g, (_whole, number: string) => `_${digits(number, 32)}`)
    .replaceAll(/<uuid (\d+)>/g, (_whole, number: string) => `00000000-0000-7000-8000-${digits(number, 12)}`)
    .replaceAll(/<hash (\d+)>/g, (_whole, number: string) => digits(number, 64))
    .replaceAll(/<(?:time|time of \d decimals|start of a bucket)>/g, `${time}Z`)
    .replaceAll(/<day (T[^>]+)>/g, (_whole, clock: string) => `2026-01-01${clock}`)
    .replaceAll(/<api key (\d+)>/g, (_whole, number: string) => `sk-${digits(number, 34)}`)
    .replaceAll(/<(provider|shelf|library|h\d+)>/g, '$1')
    .replaceAll('<origin>', 'http://127.0.0.1')
    // A number has none of the quotes of a text.
    .replaceAll(/(^\s*|: |\[|, )<[^">]+>(?=[,\]} ]|$)/gm, (_whole, before: string) => `${before}1`);
