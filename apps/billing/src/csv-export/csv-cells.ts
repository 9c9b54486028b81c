import Papa from 'papaparse';

/**
 * What a spreadsheet takes for a formula: it would run what a tool or a caller wrote. Also the full-width forms, and the
 * white space behind which some look on.
 */
const formula = /^(?:[=+@\t\r\n＝＋－＠]|-(?!\d+(?:\.\d+)?$))/;

/** The text with an apostrophe before it where a spreadsheet would run it. A negative number stays one. */
export const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Rows of cells as CSV (RFC 4180), each ended by CR LF. Null is an empty cell. */
export function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.length === 0 ? '' : `${Papa.unparse(rows as (string | null)[][], { newline: '\r\n' })}\r\n`;
}
