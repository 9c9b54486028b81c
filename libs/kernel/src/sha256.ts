import { createHash } from 'node:crypto';

/** @returns the SHA-256 of bytes, or of the UTF-8 bytes of a text, 64 hex digits */
export const sha256Hex = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
