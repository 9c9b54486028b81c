/** Control characters other than tab and line ends, those that turn the direction of text, and halves of pairs. */
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Surrogate}]/gu;

/** Text of a foreign document as a catalogue may hold it: without control characters, at most `maxLength` characters. */
export function cleanText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cut before it is looked at: a document may hold one text of many megabytes.
  const text = value
    .slice(0, maxLength * 2)
    .replaceAll(unwanted, '')
    .trim();
  if (text === '') return undefined;
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** The same, in one line. */
export function cleanLine(value: unknown, maxLength: number): string | undefined {
  return cleanText(
    typeof value === 'string' ? value.slice(0, maxLength * 2).replaceAll(/\s+/g, ' ') : value,
    maxLength,
  );
}

/** A text or a number as text; `''` for anything else. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
