import { createHmac, hkdfSync } from 'node:crypto';

/** One secret of the deployment serves several uses, each by a key of its own. */
type Use = 'claim-code' | 'email-address' | 'mail';

const KEY_BYTES = 32;

export const pepperedKey = (pepper: string, use: Use): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, '', `capability-router identity ${use}`, KEY_BYTES));

/** HMAC-SHA256 of parts none of which has a line break: who reads the database cannot try what is easily guessed. */
export const pepperedHash = (pepper: string, use: Use, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', pepperedKey(pepper, use)).update(parts.join('\n')).digest();
