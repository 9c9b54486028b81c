import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { pepperedHash } from '../email-addresses/peppered-hash.js';

const DIGITS = 6;
const CODES = 10 ** DIGITS;
const HASH_BYTES = 32;

/** Six digits, each code as likely as any other. */
export const newMailedCode = (): string => String(randomInt(CODES)).padStart(DIGITS, '0');

/** A code is bound to its claim and to the address that it was mailed to. */
export interface MailedCode {
  readonly claimId: string;
  readonly email: string;
  readonly code: string;
}

export const mailedCodeHash = (pepper: string, { claimId, email, code }: MailedCode): Buffer =>
  pepperedHash(pepper, 'claim-code', claimId, email, code);

/** The hash of no code, which looks like any other. */
export const hashOfNoCode = (): Buffer => randomBytes(HASH_BYTES);

/** Takes as long whether nothing fits or all but the last byte. */
export const isMailedCode = (hash: Buffer, pepper: string, tried: MailedCode): boolean =>
  timingSafeEqual(hash, mailedCodeHash(pepper, tried));
