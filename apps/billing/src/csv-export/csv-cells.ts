import Papa from 'papaparse';

/**
 * Matches texts that a spreadsheet takes for a formula: it would run what a tool or a caller wrote. It matches the
 * full-width forms, too, and the white space behind which some spreadsheets look on.
 */
const formula = /^(?:[=+@\t\r\n＝＋－＠]|-(?!\d+(?:\.\d+)?$))/;
/** Texts that neither CSV quotes nor a spreadsheet runs: nearly all. Told by one look, which is what most cells cost. */
const plain = /^[^\s"=+@＝＋－＠,\ufeff-](?:[^",\r\n\ufeff]*[^\s",\ufeff])?$/;

/** The text with an apostrophe before it where a spreadsheet would run it. A negative number stays one. */
export const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** A harmless cell of CSV. Null is an empty one. */
export function textCell(value: string | null): string {
  if (value === null || value === '') return '';
  return plain.test(value) ? value : Papa.unparse([[harmless(value)]]);
}

/** A line of CSV (RFC 4180), ended by CR LF, of cells that nothing has to be done about. */
export const csvHead = (names: readonly string[]): string => `${names.join(',')}\r\n`;
