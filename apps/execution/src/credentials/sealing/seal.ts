import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealingKeys } from './sealing-keys.js';

/** Where a sealed value belongs. It opens nowhere else. */
export interface SealedPlace {
  /** The tenant: an account, or `deployment`. */
  readonly ownerId: string;
  readonly providerId: string;
  readonly field: string;
  /** The revision belongs to the credential as a whole, so that fields of two cannot be mixed. */
  readonly revision: string;
}

/** A sealed value that this deployment cannot open. The message names its place, and nothing of its content. */
export class UnreadableCredentialError extends Error {
  override readonly name = 'UnreadableCredentialError';

  constructor(
    readonly reason: 'unknown_key' | 'not_authentic',
    readonly keyId: string,
    { ownerId, providerId, field }: SealedPlace,
  ) {
    const why = reason === 'unknown_key' ? 'is sealed with a key that is not configured here' : 'is not authentic';
    super(`the field "${field}" of the credentials of ${ownerId} for "${providerId}" ${why} (key "${keyId}")`);
  }
}

const ALGORITHM = 'aes-256-gcm';
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Base64 of: format (1 byte), nonce (12, random), ciphertext, tag (16). */
export function seal(keys: SealingKeys, place: SealedPlace, value: string): string {
  const key = keys.find(keys.currentId);
  if (key === undefined) throw new UnreadableCredentialError('unknown_key', keys.currentId, place);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(boundTo(place));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT), nonce, sealed, cipher.getAuthTag()]).toString('base64');
}

/** Throws `UnreadableCredentialError` for another place, another key, or anything that `seal` did not make. */
export function open(keys: SealingKeys, keyId: string, place: SealedPlace, sealed: string): string {
  const key = keys.find(keyId);
  if (key === undefined) throw new UnreadableCredentialError('unknown_key', keyId, place);
  const bytes = Buffer.from(sealed, 'base64');
  try {
    if (bytes[0] !== FORMAT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new RangeError('not a sealed value');
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    // The library's message is of no use, and its error could carry what was read.
    throw new UnreadableCredentialError('not_authentic', keyId, place);
  }
}

/** Unambiguous: no two places give the same text. */
const boundTo = ({ ownerId, providerId, field, revision }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify(['provider-credential', FORMAT, ownerId, providerId, field, revision]));
