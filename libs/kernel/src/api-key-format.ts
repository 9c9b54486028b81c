import { crc32 } from 'node:zlib';

const PREFIX = 'sk-';
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base62 characters: 28 × log2(62) = 166 random bits. */
export const API_KEY_SECRET_LENGTH = 28;
/** Base62 characters: 62⁶ > 2³², so a CRC-32 always fits. */
const CHECKSUM_LENGTH = 6;

const keyPattern = new RegExp(`^${PREFIX}[0-9A-Za-z]{${API_KEY_SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** `sk-`, the secret, its checksum. Throws `RangeError` when the secret is not of `API_KEY_SECRET_LENGTH` base62 characters. */
export function formatApiKey(secret: string): string {
  const key = `${PREFIX}${secret}${checksum(secret)}`;
  if (!keyPattern.test(key)) throw new RangeError(`a key secret is ${API_KEY_SECRET_LENGTH} base62 characters`);
  return key;
}

/**
 * Could this have been issued here? A typo, a truncated paste and another vendor's `sk-` key are refused by arithmetic,
 * without a query. The checksum is no secret: it says nothing about whether the key exists.
 */
export function isWellFormedApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const secret = text.slice(PREFIX.length, PREFIX.length + API_KEY_SECRET_LENGTH);
  return text.slice(PREFIX.length + API_KEY_SECRET_LENGTH) === checksum(secret);
}

/** `sk-abcd…wxyz`: enough to recognise a key, too little to guess one. */
export function maskApiKey(key: string): string {
  return `${key.slice(0, PREFIX.length + 4)}…${key.slice(-4)}`;
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
