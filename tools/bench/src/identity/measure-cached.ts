import { createHash, randomBytes } from 'node:crypto';
import { newApiKey } from './new-api-key.js';
import { CredentialDirectory } from '@capability-router/gateway/credential-directory';
import { systemClock } from '@capability-router/kernel';
import { median } from '../statistics.js';
import type { IdentitySizes } from './sizes.js';

/** Bytes of a signed access token, as identity issues them. */
const TOKEN_BYTES = 640;
const MICROSECONDS_PER_MS = 1_000;
const CACHE_MS = 3_600_000;

export interface CachedRow {
  readonly what: string;
  readonly microseconds: number;
  /** The time of the SHA-256 of the same texts alone, under which memory knows them. */
  readonly hashMicroseconds: number;
  /** Questions to identity for one credential. */
  readonly askedPerCredential: number;
}

/** Measures how long the gateway's directory takes to say whose a known credential is, one after another, each in its turn. */
export async function measureCached(sizes: IdentitySizes): Promise<CachedRow[]> {
  const keys = Array.from({ length: sizes.manyKeys }, newApiKey);
  const token = `eyJ${randomBytes(TOKEN_BYTES / 2).toString('hex')}`;
  return [
    await measure('a key of an account with one', keys.slice(0, 1), sizes),
    await measure(`keys of one account with ${keys.length}`, keys, sizes),
    await measure('an access token', [token], sizes),
  ];
}

async function measure(what: string, credentials: readonly string[], sizes: IdentitySizes): Promise<CachedRow> {
  let asked = 0;
  const account = { accountId: 'acc_1', accountKind: 'formal', credentialType: 'api_key', scopes: ['call'] } as const;
  const directory = new CredentialDirectory(
    {
      verify: (credential) => {
        asked += 1;
        return Promise.resolve({ valid: true as const, assertion: { ...account, apiKeyId: credential } });
      },
      sign: () => Promise.resolve('an assertion'),
    },
    { nowMs: () => systemClock.nowMs(), covers: () => true },
    systemClock,
    { credentialCacheMs: CACHE_MS },
    { credentialCacheHits: { inc: () => undefined } },
  );
  for (const credential of credentials) await directory.resolve(credential);
  const round = (look: (credential: string) => unknown): number => {
    const startedMs = performance.now();
    for (let index = 0; index < sizes.cached; index += 1) look(credentials[index % credentials.length] ?? '');
    return ((performance.now() - startedMs) * MICROSECONDS_PER_MS) / sizes.cached;
  };
  const [looks, hashes]: [number[], number[]] = [[], []];
  for (let count = 0; count < sizes.rounds; count += 1) {
    hashes.push(round((credential) => createHash('sha256').update(credential).digest('base64')));
    looks.push(round((credential) => directory.resolve(credential)));
  }
  return {
    what,
    microseconds: median(looks),
    hashMicroseconds: median(hashes),
    askedPerCredential: asked / credentials.length,
  };
}
