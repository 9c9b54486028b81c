import { generateKeyPairSync } from 'node:crypto';
import { contexts, type ContextName } from '@capability-router/contracts';
import type { JWK } from 'jose';

/** Private keys of one service: the first signs. */
export interface SigningKeySet {
  readonly keys: readonly JWK[];
}

export interface InternalKeys<SigningKey = JWK> {
  /** `INTERNAL_SIGNING_KEY` of each service. */
  readonly signingKeys: Readonly<Record<ContextName, SigningKey>>;
  /** `INTERNAL_JWKS` of all of them. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/** A fresh set of keys for a whole deployment, e.g. one process or a development stack. */
export function generateInternalKeys(keyIdOf: (name: ContextName, jwk: JWK) => string = (name) => name): InternalKeys {
  const keys = contexts.map((name) => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK;
    return { name, privateKey: { ...jwk, kid: keyIdOf(name, jwk) } };
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

/** Characters of a public key in the id of its key. */
const ID_CHARACTERS = 8;

/** A deployment is given these one after the other, and in each step one replica after another, so that nothing is refused. */
export interface KeyRotation {
  /** Everybody knows the new keys, and signs with the one of before. */
  readonly known: InternalKeys<SigningKeySet>;
  /** Everybody signs with the new one, and takes and opens what that of before has signed and sealed. */
  readonly signing: InternalKeys<SigningKeySet>;
  /** The keys of before are gone. */
  readonly over: InternalKeys;
}

/** New keys for a deployment that has `before`, by steps that need no interruption. */
export function rotateInternalKeys(before: InternalKeys<JWK | SigningKeySet>): KeyRotation {
  const over = generateInternalKeys((name, { x = '' }) => `${name}.${x.slice(0, ID_CHARACTERS)}`);
  const jwks = { keys: [...before.jwks.keys, ...over.jwks.keys] };
  const both = (arrange: (old: readonly JWK[], made: JWK) => readonly JWK[]): InternalKeys<SigningKeySet> => {
    const signingKeys = contexts.map((name) => {
      const old = before.signingKeys[name];
      return [name, { keys: arrange('keys' in old ? old.keys : [old], over.signingKeys[name]) }] as const;
    });
    return { jwks, signingKeys: Object.fromEntries(signingKeys) as Record<ContextName, SigningKeySet> };
  };
  return { known: both((old, made) => [...old, made]), signing: both((old, made) => [made, ...old]), over };
}
