import { Matches, type ValidationOptions } from 'class-validator';

const oneLinePattern = /^\P{Cc}*$/u;
const filledLinePattern = /^\P{Cc}+$/u;
const linesPattern = /^(?:\P{Cc}|[\t\n\r])*$/u;
const noControlCharacters = { message: '$property must not contain control characters' };

/**
 * One line of visible text: it goes into logs, lists and PostgreSQL, none of which take NUL or other control characters.
 * `filled`: an empty text is refused as well.
 */
export const OneLine = ({
  filled,
  ...options
}: ValidationOptions & { readonly filled?: true } = {}): PropertyDecorator =>
  Matches(filled === true ? filledLinePattern : oneLinePattern, { ...noControlCharacters, ...options });

/** Text that people write in several lines: control characters are refused but for tabs and line breaks. */
export const VisibleText = (): PropertyDecorator => Matches(linesPattern, noControlCharacters);

/** Whether a part of a path or a query is one line of 1 to `maxCharacters` visible characters. */
export const isOneLine = (text: string, maxCharacters: number): boolean =>
  filledLinePattern.test(text) && [...text].length <= maxCharacters;
