import { BASE62 } from '@capability-router/kernel';
import { hashSecretText } from '../api-keys/hash-secret-text.js';
import { randomText } from '../api-keys/random-text.js';

/** Base62 characters: 142 and 190 random bits. */
const FAMILY_LENGTH = 24;
const OWN_LENGTH = 32;
const pattern = /^rt-([0-9A-Za-z]{24})[0-9A-Za-z]{32}$/;

/** The part of a refresh token that is kept. The token is `rt-`, a part that its whole family shares, and a part of its own. */
export interface RefreshTokenHashes {
  readonly familyHash: Buffer;
  readonly tokenHash: Buffer;
}

/** The first of a family, or the successor of a token. It exists here and in the answer, nowhere else. */
export function newRefreshToken(predecessor?: string): string {
  const family = predecessor === undefined ? undefined : pattern.exec(predecessor)?.[1];
  return `rt-${family ?? randomText(BASE62, FAMILY_LENGTH)}${randomText(BASE62, OWN_LENGTH)}`;
}

/** Undefined for a text that is no refresh token. */
export function hashesOf(token: string): RefreshTokenHashes | undefined {
  const family = pattern.exec(token)?.[1];
  return family === undefined ? undefined : { familyHash: hashSecretText(family), tokenHash: hashSecretText(token) };
}
