import { createHash } from 'node:crypto';

/** Hashes the issuer and the subject as tokens have them: by the hash a subject is found. */
export const hashSubject = (iss: string, subject: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([iss, subject]))
    .digest();
