import { createHash } from 'node:crypto';
import type { Clock } from '@capability-router/kernel';
import {
  CLOCK,
  CONFIG,
  ExpiringCache,
  LOGGER,
  METRICS,
  typeOf,
  type ExternalIssuer,
} from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { IdentityConfig } from '../config.js';
import { resourceOf, type TokenSettings } from '../signing-keys/token-settings.js';
import { claimsOfToken, type ExternalClaims } from './claims-of-token.js';
import { IssuerKeys, KEYS_FRESH_MS, KeysUnavailable } from './issuer-keys.js';

/** Characters: as long as the gateway takes them. */
const MAX_TOKEN_LENGTH = 8_192;
const MAX_KEY_ID_LENGTH = 256;
/** Tokens whose signatures were found good. */
const MAX_REMEMBERED = 20_000;

export interface ExternalToken extends ExternalClaims {
  readonly issuer: ExternalIssuer;
  readonly payload: JWTPayload;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** `undecided`: it names a key that is not known, and its issuer does not answer. */
export type CheckedExternalToken =
  | { readonly status: 'genuine'; readonly token: ExternalToken }
  | { readonly status: 'expired'; readonly payload: JWTPayload }
  | { readonly status: 'not_genuine' }
  | { readonly status: 'undecided' };

/** Reads tokens of configured issuers. Whose they are here is another question. */
@Injectable()
export class ExternalTokens {
  private readonly trusted: ReadonlyMap<string, { readonly issuer: ExternalIssuer; readonly keys: IssuerKeys }>;
  private readonly genuine: ExpiringCache<string, ExternalToken>;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: Pick<TokenSettings, 'publicUrl'> &
      Pick<IdentityConfig, 'externalIssuers'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info' | 'warn'>,
    @Inject(METRICS) registry: Registry,
  ) {
    this.genuine = new ExpiringCache(MAX_REMEMBERED, clock);
    const reads = new Counter({
      name: 'identity_external_issuer_key_reads_total',
      help: 'Readings of the keys of external issuers, by issuer and by how they ended.',
      labelNames: ['issuer', 'outcome'],
      registers: [registry],
    });
    const { externalIssuers } = settings;
    this.trusted = new Map(externalIssuers.map((issuer) => [issuer.iss, { issuer, keys: this.keysOf(issuer, reads) }]));
  }

  /** Does the text say that it is of a configured issuer? Nothing is believed by it but whose keys are to be tried. */
  areOf(text: string): boolean {
    return this.trusted.size > 0 && text.length <= MAX_TOKEN_LENGTH && this.trusted.has(claimedIssuer(text) ?? '');
  }

  /** By its signature and its claims alone, which is done once for each token and again when keys may have changed. */
  async check(text: string): Promise<CheckedExternalToken> {
    if (text.length > MAX_TOKEN_LENGTH) return { status: 'not_genuine' };
    const remembered = createHash('sha256').update(text).digest('base64');
    const known = this.genuine.get(remembered);
    if (known !== undefined) return { status: 'genuine', token: known };
    try {
      const checked = await this.verify(text);
      if (checked.status === 'genuine') {
        const leftMs = checked.token.expiresAtMs - this.clock.nowMs();
        this.genuine.set(remembered, checked.token, Math.min(leftMs, KEYS_FRESH_MS));
      }
      return checked;
    } catch (error) {
      if (error instanceof KeysUnavailable) return { status: 'undecided' };
      if (error instanceof errors.JWTExpired && error.claim === 'exp')
        return { status: 'expired', payload: error.payload };
      if (error instanceof errors.JOSEError || error instanceof TypeError) return { status: 'not_genuine' };
      throw error;
    }
  }

  private async verify(text: string): Promise<CheckedExternalToken> {
    const trusted = this.trusted.get(claimedIssuer(text) ?? '');
    if (trusted === undefined) return { status: 'not_genuine' };
    const { issuer, keys } = trusted;
    const { alg, kid, typ = '' } = decodeProtectedHeader(text);
    // Neither a key nor an algorithm is ever taken from the token: `none` and a public key as an HMAC secret fail here.
    const algorithm = issuer.algorithms.find((allowed) => allowed === alg);
    if (algorithm === undefined || !isKeyId(kid) || !issuer.types.includes(typeOf(typ)))
      return { status: 'not_genuine' };
    const key = await keys.find({ alg: algorithm, kid });
    if (key === undefined) return { status: 'not_genuine' };
    const nowMs = this.clock.nowMs();
    const { payload } = await jwtVerify(text, key, {
      algorithms: [algorithm],
      issuer: issuer.iss,
      audience: issuer.audiences.length > 0 ? [...issuer.audiences] : resourceOf(this.settings.publicUrl),
      currentDate: new Date(nowMs),
      clockTolerance: issuer.clockSkewSeconds,
      requiredClaims: ['exp', 'iat'],
      // By it the library also refuses a token that was issued in the future.
      maxTokenAge: issuer.maxLifeSeconds,
    });
    const { exp = 0, iat = 0 } = payload;
    // Its own end is not put off: the tolerance is for tokens that seem to come from the future.
    if (exp * 1_000 <= nowMs) return { status: 'expired', payload };
    const claims = exp - iat > issuer.maxLifeSeconds ? undefined : claimsOfToken(issuer, payload);
    if (claims === undefined) return { status: 'not_genuine' };
    return { status: 'genuine', token: { ...claims, issuer, payload, expiresAtMs: exp * 1_000 } };
  }

  private keysOf({ name, jwksUrl }: ExternalIssuer, reads: Counter<'issuer' | 'outcome'>): IssuerKeys {
    let failing = false;
    return new IssuerKeys(jwksUrl, this.clock, (outcome, error) => {
      reads.inc({ issuer: name, outcome });
      if (outcome === 'failed' && !failing) {
        this.logger.warn({ err: error, issuer: name }, 'the keys of an external issuer cannot be read');
      }
      if (outcome === 'read' && failing)
        this.logger.info({ issuer: name }, 'the keys of an external issuer are read again');
      failing = outcome === 'failed';
    });
  }
}

const isKeyId = (kid: unknown): kid is string =>
  typeof kid === 'string' && kid !== '' && kid.length <= MAX_KEY_ID_LENGTH;

/** Reads the issuer that a text names, which nobody has verified. */
function claimedIssuer(text: string): string | undefined {
  try {
    const { iss } = decodeJwt(text);
    return typeof iss === 'string' ? iss : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
