import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pepperedKey } from '../email-addresses/peppered-hash.js';
import type { Mail } from './mail.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Nonce, ciphertext and tag. A waiting mail holds a code and an address, which the database must not tell. */
export function sealMail(pepper: string, mailId: string, mail: Mail): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, pepperedKey(pepper, 'mail'), nonce).setAAD(Buffer.from(mailId));
  return Buffer.concat([nonce, cipher.update(JSON.stringify(mail), 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Throws for a mail that was sealed under another pepper or for another id. */
export function openMail(pepper: string, mailId: string, sealed: Buffer): Mail {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const key = pepperedKey(pepper, 'mail');
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(mailId));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return JSON.parse(opened.toString('utf8')) as Mail;
}
