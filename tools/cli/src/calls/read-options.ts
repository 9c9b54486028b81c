import { InvalidArgumentError } from 'commander';

/** An option that counts something. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number of at least 1.');
  return Number(text);
}

/** An option that is an amount of credits. */
export function credits(text: string): number {
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError('It is an amount above 0, with at most six digits after the point.');
  }
  return Number(text);
}
