import { createHash, hkdfSync } from 'node:crypto';
import {
  contexts,
  VERIFICATION_ACCOUNT_ID,
  type AccountAssertion,
  type ContextName,
} from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { importJWK, jwtVerify, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import type { SigningKeySet } from './generate-keys.js';
import { ExpiringCache } from '../util/expiring-cache.js';

const ALGORITHM = 'EdDSA';
/** The audience of an assertion: whoever the gateway calls passes it on to the services that it calls itself. */
const ANY_SERVICE = 'internal';
/** The `typ` header keeps one kind of token from passing for the other. */
const SERVICE_TYPE = 'service+jwt';
const ACCOUNT_TYPE = 'account+jwt';

/** Seconds. Under a minute, so a stolen token is soon worthless. */
const LIFETIME_SECONDS = 55;
/** Milliseconds before expiry at which a cached own token is replaced. */
const RENEW_BEFORE_MS = 20_000;
/** Seconds by which clocks of two machines may differ. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Tokens; one service token per caller and one assertion per active credential. */
const MAX_CACHED_TOKENS = 20_000;
const SECRET_BYTES = 32;
/** Keys of one service: that of now, the one before and the next, and one more. */
const MAX_KEYS_PER_SERVICE = 4;
/** Characters; far above any token that this code signs. */
const MAX_TOKEN_LENGTH = 8_192;

/** The token is not genuine, not for this purpose, or expired. */
export class InvalidInternalToken extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`invalid internal token: ${reason}`, { cause });
    this.name = 'InvalidInternalToken';
  }
}

export interface InternalTokensOptions {
  readonly service: ContextName;
  /** Private Ed25519 JWK of this service, or a set of them: the first signs, and what the others have sealed is opened. */
  readonly signingKey: JWK | SigningKeySet;
  /** Public keys of all services; `kid` is the service's name, or begins with it and a dot. */
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly clock: Clock;
}

/** The newest key is the first, and seals. */
export type Secrets = readonly [Buffer, ...Buffer[]];

interface Verified {
  readonly issuer: ContextName;
  readonly payload: JWTPayload;
}

/** Signs and checks what services show each other. Verified tokens are remembered until they expire. */
export class InternalTokens {
  private readonly verified: ExpiringCache<string, Verified>;
  /** At most one of each per target, of which there are six. */
  private readonly own = new Map<ContextName, { readonly token: string; readonly renewAtMs: number }>();
  private readonly renewing = new Map<ContextName, Promise<string>>();

  private constructor(
    readonly service: ContextName,
    private readonly signingKey: CryptoKey,
    private readonly keyId: string,
    private readonly publicKeys: ReadonlyMap<string, CryptoKey>,
    private readonly clock: Clock,
    private readonly secrets: readonly Buffer[],
  ) {
    this.verified = new ExpiringCache(MAX_CACHED_TOKENS, clock);
  }

  /** Throws when a key is not an Ed25519 JWK, a `kid` is no service, or the signing key is not the published one. */
  static async create(options: InternalTokensOptions): Promise<InternalTokens> {
    const { keys } = options.jwks;
    if (!Array.isArray(keys) || keys.length === 0) throw new Error('INTERNAL_JWKS must hold a non-empty list `keys`');
    const publicKeys = new Map<string, CryptoKey>();
    const counts = new Map<ContextName, number>();
    for (const jwk of keys as readonly JWK[]) {
      const keyId = String(jwk.kid);
      const name = serviceOf(keyId);
      if (name === undefined) throw new Error(`INTERNAL_JWKS names an unknown service "${keyId}"`);
      if (jwk.d !== undefined) throw new Error(`INTERNAL_JWKS holds the private key of "${keyId}"; publish only \`x\``);
      if (publicKeys.has(keyId)) throw new Error(`INTERNAL_JWKS has two keys "${keyId}"; name one "${name}.<text>"`);
      const count = (counts.get(name) ?? 0) + 1;
      if (count > MAX_KEYS_PER_SERVICE) {
        throw new Error(
          `INTERNAL_JWKS has more than ${MAX_KEYS_PER_SERVICE} keys of "${name}"; take out what nobody signs with`,
        );
      }
      counts.set(name, count);
      publicKeys.set(keyId, await importEd25519(jwk, `INTERNAL_JWKS key "${keyId}"`));
    }
    const [first, ...others] = privateKeysOf(options.signingKey);
    const published = (keys as readonly JWK[]).find(
      (jwk) => jwk.x === first.x && serviceOf(String(jwk.kid)) === options.service,
    );
    if (published === undefined) {
      throw new Error(`INTERNAL_JWKS does not hold the public key of INTERNAL_SIGNING_KEY as "${options.service}"`);
    }
    const secrets = [first, ...others].map(({ d }) => {
      if (d === undefined) throw new Error('INTERNAL_SIGNING_KEY must be a private key');
      return Buffer.from(d, 'base64url');
    });
    const signingKey = await importEd25519(first, 'INTERNAL_SIGNING_KEY');
    return new InternalTokens(options.service, signingKey, String(published.kid), publicKeys, options.clock, secrets);
  }

  /**
   * 32 bytes that only replicas of this service know, and others for each purpose; they follow from the keys of INTERNAL_SIGNING_KEY, in their
   * order. The first seals; all of them open, so that what was sealed outlives the change of the key.
   */
  secretsFor(purpose: string): Secrets {
    const [first, ...others] = this.secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', purpose, SECRET_BYTES)),
    );
    if (first === undefined) throw new Error('there is no signing key');
    return [first, ...others];
  }

  /**
   * This service's bearer token for `target`, which no other service accepts. Signed anew shortly before it expires; at
   * hand without waiting nearly always.
   */
  serviceToken(target: ContextName): string | Promise<string> {
    const nowMs = this.clock.nowMs();
    const own = this.own.get(target);
    if (own !== undefined && nowMs < own.renewAtMs) return own.token;
    const renewing = this.renewing.get(target);
    if (renewing !== undefined) return renewing;
    const signing = this.sign(SERVICE_TYPE, target, {})
      .then((token) => {
        this.own.set(target, { token, renewAtMs: nowMs + LIFETIME_SECONDS * 1_000 - RENEW_BEFORE_MS });
        return token;
      })
      .finally(() => this.renewing.delete(target));
    this.renewing.set(target, signing);
    return signing;
  }

  /** Signs what the gateway vouches for about a caller. It is good for 55 seconds, and meant to be cached with the credential. */
  signAssertion(assertion: AccountAssertion): Promise<string> {
    return this.sign(ACCOUNT_TYPE, ANY_SERVICE, { account: assertion });
  }

  /** Names the service that the token belongs to. Throws `InvalidInternalToken`, also when it was meant for another service. */
  async verifyService(token: string): Promise<ContextName> {
    return (await this.verify(token, SERVICE_TYPE, this.service)).issuer;
  }

  /**
   * Throws `InvalidInternalToken`, also when somebody other than the gateway signed it: the registry vouches for the one
   * account by which it verifies tools, and for no other.
   */
  async verifyAssertion(token: string): Promise<AccountAssertion> {
    const { issuer, payload } = await this.verify(token, ACCOUNT_TYPE, ANY_SERVICE);
    const account = payload['account'];
    if (typeof account !== 'object' || account === null) throw new InvalidInternalToken('it names no account');
    const assertion = account as AccountAssertion;
    const vouched = issuer === 'registry' && assertion.accountId === VERIFICATION_ACCOUNT_ID;
    if (issuer !== 'gateway' && !vouched) throw new InvalidInternalToken('only the gateway vouches for accounts');
    return assertion;
  }

  private sign(type: string, audience: string, claims: JWTPayload): Promise<string> {
    const issuedAt = Math.floor(this.clock.nowMs() / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, kid: this.keyId, typ: type })
      .setIssuer(this.service)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(this.signingKey);
  }

  private async verify(token: string, type: string, audience: string): Promise<Verified> {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidInternalToken('it is too long');
    const cacheKey = `${type} ${createHash('sha256').update(token).digest('base64')}`;
    const cached = this.verified.get(cacheKey);
    if (cached !== undefined) return cached;
    const nowMs = this.clock.nowMs();
    let payload: JWTPayload;
    let keyId: string | undefined;
    try {
      const checked = await jwtVerify(token, (header) => this.publicKeyOf(header.kid), {
        algorithms: [ALGORITHM],
        audience,
        typ: type,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', 'iat', 'iss'],
      });
      payload = checked.payload;
      keyId = checked.protectedHeader.kid;
    } catch (cause) {
      throw new InvalidInternalToken(cause instanceof Error ? cause.message : 'unreadable', cause);
    }
    const issuer = contexts.find((context) => context === payload.iss);
    if (issuer === undefined || issuer !== serviceOf(keyId))
      throw new InvalidInternalToken('it is signed with another key');
    const { exp = 0, iat = 0 } = payload;
    if (exp - iat > 60) throw new InvalidInternalToken('it lives for more than a minute');
    const result = { issuer, payload };
    this.verified.set(cacheKey, result, (exp + CLOCK_TOLERANCE_SECONDS) * 1_000 - nowMs);
    return result;
  }

  private publicKeyOf(keyId: string | undefined): CryptoKey {
    const key = keyId === undefined ? undefined : this.publicKeys.get(keyId);
    if (key === undefined) throw new InvalidInternalToken('its key is unknown');
    return key;
  }
}

/** The service of a key: what stands before the first dot of its id. */
const serviceOf = (keyId: string | undefined): ContextName | undefined =>
  contexts.find((context) => context === keyId?.split('.', 1)[0]);

function privateKeysOf(given: InternalTokensOptions['signingKey']): readonly [JWK, ...JWK[]] {
  const keys = 'keys' in given ? given.keys : [given];
  if (!Array.isArray(keys))
    throw new Error('INTERNAL_SIGNING_KEY must be a private key, or hold a list `keys` of them');
  const [first, ...others] = keys as readonly JWK[];
  if (first === undefined) throw new Error('INTERNAL_SIGNING_KEY holds an empty list `keys`');
  if (keys.length > MAX_KEYS_PER_SERVICE) {
    throw new Error(
      `INTERNAL_SIGNING_KEY holds more than ${MAX_KEYS_PER_SERVICE} keys; take out what seals nothing any more`,
    );
  }
  return [first, ...others];
}

async function importEd25519(jwk: JWK, what: string): Promise<CryptoKey> {
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') throw new Error(`${what} must be an Ed25519 JWK`);
  try {
    return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
  } catch (cause) {
    throw new Error(`${what} must be an Ed25519 JWK`, { cause });
  }
}
