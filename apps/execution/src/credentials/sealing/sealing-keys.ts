import { createSecretKey, type KeyObject } from 'node:crypto';

/** Port to whoever keeps the keys that seal credentials. A key that sealed something stays until all is re-sealed. */
export interface SealingKeys {
  /** Seals what is set from now on. */
  readonly currentId: string;
  /** 256 bits for AES. Undefined where the key is not, or no longer, known here. */
  find(keyId: string): KeyObject | undefined;
}

const KEY_BYTES = 32;
/** Keys that can be named at once: the current one, and those of rotations that are not through. */
const MAX_KEYS = 32;
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * `id:key` entries, separated by commas or lines, the current key first; a key is 32 bytes in hex or base64. Lines that
 * begin with `#` are left out. Throws `RangeError`, whose message never repeats a key.
 */
export function parseSealingKeys(text: string): SealingKeys {
  const entries = text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) throw new RangeError('names no key; write id:key, the key as 32 bytes in hex or base64');
  if (entries.length > MAX_KEYS) throw new RangeError(`names more than ${MAX_KEYS} keys`);
  const keys = new Map<string, KeyObject>();
  for (const [index, entry] of entries.entries()) {
    const [id, key] = parseEntry(entry, `entry ${index + 1}`);
    if (keys.has(id)) throw new RangeError(`names the key "${id}" twice`);
    keys.set(id, key);
  }
  const [currentId = ''] = keys.keys();
  return { currentId, find: (keyId) => keys.get(keyId) };
}

function parseEntry(entry: string, where: string): [id: string, key: KeyObject] {
  const colon = entry.indexOf(':');
  const id = entry.slice(0, Math.max(0, colon));
  if (!idPattern.test(id)) {
    throw new RangeError(`${where} has no id: write id:key, the id of letters, digits, ".", "_" and "-"`);
  }
  const bytes = bytesOf(entry.slice(colon + 1));
  if (bytes?.length !== KEY_BYTES) {
    throw new RangeError(`the key "${id}" is not ${KEY_BYTES} bytes in hex or base64 (openssl rand -hex ${KEY_BYTES})`);
  }
  return [id, createSecretKey(bytes)];
}

function bytesOf(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
