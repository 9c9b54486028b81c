import { createHash } from 'node:crypto';

/** Only this hash of a secret is stored. A plain SHA-256 suffices because the secret is uniformly random and too long to enumerate. */
export function hashSecretText(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
