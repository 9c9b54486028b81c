import { Matches, type ValidationArguments, type ValidationOptions } from 'class-validator';

const oneLinePattern = /^[^\p{Cc}\p{Cs}]*$/u;
const filledLinePattern = /^[^\p{Cc}\p{Cs}]+$/u;
const linesPattern = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;
const halfPattern = /\p{Cs}/u;
const noControlCharacters = {
  message: ({ value }: ValidationArguments): string =>
    typeof value === 'string' && halfPattern.test(value)
      ? '$property must be Unicode: half of a surrogate pair stands in it'
      : '$property must not contain control characters',
};

/**
 * One line of visible text: it goes into logs, lists and PostgreSQL, none of which take NUL or other control characters, or half
 * of a surrogate pair.
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
