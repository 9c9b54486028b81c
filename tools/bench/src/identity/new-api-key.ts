import { randomInt } from 'node:crypto';
import { API_KEY_SECRET_LENGTH, BASE62, formatApiKey } from '@capability-router/kernel';

/** A text that could be a key. */
export const newApiKey = (): string =>
  formatApiKey(Array.from({ length: API_KEY_SECRET_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join(''));
