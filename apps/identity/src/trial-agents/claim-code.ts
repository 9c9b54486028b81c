import { hashSecretText } from '../api-keys/hash-secret-text.js';
import { randomText } from '../api-keys/random-text.js';

/** Crockford's base 32: no letter that is taken for a digit when somebody reads the code out. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Characters: 26 × 5 = 130 random bits, so the code may be stored under a plain hash and needs no try counter. */
const LENGTH = 26;

export const newClaimCode = (): string => `clm_${randomText(ALPHABET, LENGTH)}`;

export const hashClaimCode = (code: string): Buffer => hashSecretText(code);
