import { createHmac } from 'node:crypto';
import { BASE62 } from '@capability-router/kernel';
import { hashSecretText } from '../api-keys/hash-secret-text.js';
import { randomText } from '../api-keys/random-text.js';

/** RFC 8628 §6.1: consonants, so that no word and no two alike come of it. */
const USER_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
/** Characters: 34 random bits, which is why tries are counted. */
const USER_LENGTH = 8;
const HALF = USER_LENGTH / 2;
/** Base62 characters: 238 random bits. */
const DEVICE_LENGTH = 40;
const devicePattern = /^dc-[0-9A-Za-z]{40}$/;
const userPattern = new RegExp(`^[${USER_ALPHABET}]{${USER_LENGTH}}$`);

export const newDeviceCode = (): string => `dc-${randomText(BASE62, DEVICE_LENGTH)}`;

/** Undefined for a text that is no device code. */
export const hashDeviceCode = (text: string): Buffer | undefined =>
  devicePattern.test(text) ? hashSecretText(text) : undefined;

/** Without its hyphen. */
export const newUserCode = (): string => randomText(USER_ALPHABET, USER_LENGTH);

/** `WDJBMJHT` as `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** Reads a code as somebody typed it, in any case, with or without hyphens and blanks; undefined where it can be no code. */
export function readUserCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return userPattern.test(code) ? code : undefined;
}

/** A code is easily guessed, so it is hashed under a secret that is not in the database. */
type Use = 'user code' | 'mailed code' | 'address' | 'signed in';

/** HMAC-SHA256 of parts none of which has a line break. */
export const secretHash = (secret: Buffer, use: Use, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', secret)
    .update([use, ...parts].join('\n'))
    .digest();
