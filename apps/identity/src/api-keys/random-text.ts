import { randomInt } from 'node:crypto';

/** `length` characters, each drawn uniformly from `alphabet` by the system's cryptographic generator. */
export function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
