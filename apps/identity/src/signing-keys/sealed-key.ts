import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce (12 bytes, random), ciphertext, tag (16). It opens under the same secret and for the same key id alone. */
export function sealKey(secret: Buffer, keyId: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce).setAAD(Buffer.from(keyId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** Undefined where it was sealed under none of the secrets or for another key. */
export function openKey(secrets: readonly Buffer[], keyId: string, sealed: Buffer): string | undefined {
  for (const secret of secrets) {
    const text = openUnder(secret, keyId, sealed);
    if (text !== undefined) return text;
  }
  return undefined;
}

function openUnder(secret: Buffer, keyId: string, sealed: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, secret, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(keyId)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
