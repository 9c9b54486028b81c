import { wellFormed } from './well-formed.js';

/** Characters of a text that an error repeats. */
const MAX_SHOWN_CHARACTERS = 60;
/** Stands in place of a number such as `1e400`, of which JSON would make null. */
const ENDLESS = 'number beyond ±1.79e308';
/** Stands in place of a secret. */
export const NOT_SHOWN = '(not shown)';

/** Members that hold what lets somebody in, in any spelling; an id of one (`api_key_id`) is none. */
const secretName =
  /(?:^|[_.-])(?:api[_-]?key|token|secret|pass(?:word|phrase|wd)|credentials?|authorization|cookie|private[_-]?key)$/i;
/** Codes that are mailed or shown once. */
const secretCode = /^(?:code|claim[_-]?code|user[_-]?code|device[_-]?code|otp|pin)$/i;
/** Keys and tokens of any house, wherever they were put by mistake. */
const secretValue = /(?:^|[^0-9a-z])(?:sk-|sk_|ghp_|xox[a-z]-|eyJ)[0-9A-Za-z_-]{8,}|^(?:bearer|basic) /i;

/** May what was sent as `name` be repeated in an answer? */
export const isSecret = (name: unknown, value: unknown): boolean =>
  (typeof name === 'string' && (secretName.test(name) || secretCode.test(name))) ||
  (typeof value === 'string' && secretValue.test(value));

/**
 * Tells what was sent as `name` for an error: short values as they are, what is long by its kind and size, a secret never.
 * Undefined where nothing was sent.
 */
export function receivedOf(name: unknown, value: unknown): string | number | boolean | null | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (isSecret(name, value)) return NOT_SHOWN;
  if (typeof value === 'number') return Number.isFinite(value) ? value : ENDLESS;
  if (Array.isArray(value)) return `list of ${value.length} items`;
  if (typeof value !== 'string') return `object of ${Object.keys(value).length} members`;
  return value.length <= MAX_SHOWN_CHARACTERS ? wellFormed(value) : `text of ${value.length} characters`;
}
