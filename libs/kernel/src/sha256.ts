import { createHash } from 'node:crypto';

/** @returns the SHA-256 of the text's UTF-8 bytes, 64 hex digits */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
