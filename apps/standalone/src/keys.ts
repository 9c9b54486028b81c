import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateInternalKeys, type InternalKeys } from '@capability-router/service-kit';

export interface StandaloneKeys {
  readonly internal: InternalKeys;
  /** Signs the links to full results; they outlive a restart, so the key does too. */
  readonly resultLinkKey: string;
  /** Seal providers' credentials: `CREDENTIAL_KEYS` of execution. */
  readonly credentialKeys: string;
  /** `IDENTITY_PEPPER` of identity. */
  readonly identityPepper: string;
}

const RESULT_LINK_KEY_BYTES = 32;
const CREDENTIAL_KEY_BYTES = 32;
const PEPPER_BYTES = 32;

/** Keys of this installation, made on first start and kept in the data folder, readable by its owner only. */
export function loadKeys(dataDir: string): StandaloneKeys {
  const file = join(dataDir, 'keys.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<StandaloneKeys>) : {};
  // A data folder of an earlier release gets what it does not have.
  const keys = {
    internal: known.internal ?? generateInternalKeys(),
    resultLinkKey: known.resultLinkKey ?? randomBytes(RESULT_LINK_KEY_BYTES).toString('base64url'),
    credentialKeys: known.credentialKeys ?? `k1:${randomBytes(CREDENTIAL_KEY_BYTES).toString('hex')}`,
    identityPepper: known.identityPepper ?? randomBytes(PEPPER_BYTES).toString('base64url'),
  };
  if (JSON.stringify(keys) !== JSON.stringify(known)) writePrivately(file, keys);
  return keys;
}

/** Whole or not at all: a file that a crash cut short would lock its owner out. */
export function writePrivately(file: string, content: unknown): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
