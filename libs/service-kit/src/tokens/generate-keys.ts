import { generateKeyPairSync } from 'node:crypto';
import { contexts, type ContextName } from '@capability-router/contracts';
import type { JWK } from 'jose';

export interface InternalKeys {
  /** `INTERNAL_SIGNING_KEY` of each service. */
  readonly signingKeys: Readonly<Record<ContextName, JWK>>;
  /** `INTERNAL_JWKS` of all of them. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/** A fresh set of keys for a whole deployment, e.g. one process or a development stack. */
export function generateInternalKeys(): InternalKeys {
  const keys = contexts.map((name) => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK;
    return { name, privateKey: { ...jwk, kid: name } };
  });
  return {
    signingKeys: Object.fromEntries(keys.map(({ name, privateKey }) => [name, privateKey])) as Record<ContextName, JWK>,
    jwks: {
      keys: keys.map(({ privateKey }) => {
        const { d: _private, ...publicKey } = privateKey;
        return publicKey;
      }),
    },
  };
}
