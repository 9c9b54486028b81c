import { createHash } from 'node:crypto';
import { creditsFromMicro, isUuid, toIso, uuidv7, type Clock } from '@capability-router/kernel';
import type { VerifyCredentialResponse } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';
import { CLOCK, CONFIG, ExpiringCache, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { isUsable } from '../api-keys/api-key.js';
import { findKeyById } from '../api-keys/find-key-by-id.sql.js';
import type { IdentityConfig } from '../config.js';
import { SIGNING_ALGORITHM, SigningKeys } from '../signing-keys/signing-keys.js';
import { resourceOf, type TokenSettings } from '../signing-keys/token-settings.js';
import { ConsentUsesTask } from './consents/consent-uses.task.js';
import { findToken, insertToken, markRevoked, type DelegationColumns, type TokenRow } from './oauth-tokens.sql.js';
import { stands, verifiedToken, type LiveToken } from './verified-token.js';

/** RFC 9068 §2.1. */
const TOKEN_TYPE = 'at+jwt';
/** Seconds that an access token lives. */
const ACCESS_TOKEN_SECONDS = 3_600;
/** Seconds by which the clock of whoever signed may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Characters; far above any token that is signed here. */
const MAX_TOKEN_LENGTH = 4_096;
/** Tokens whose signatures were found good. */
const MAX_REMEMBERED = 20_000;

/** The claims of a token that this deployment signed. `expired`: it did, and the token has ended. */
export type CheckedToken =
  | { readonly status: 'genuine' | 'expired'; readonly payload: JWTPayload }
  | { readonly status: 'not_genuine' };

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

export interface IssueToken {
  readonly clientId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** The consent of a person, where one gave it; no token outlives it. */
  readonly family?: { readonly familyId: string; readonly endsAtMs: number };
  /** Only a delegation token has this: it ends no later than the token that was shown for it. */
  readonly life?: { readonly lifetimeSeconds: number; readonly endsAtMs: number };
  readonly delegation?: DelegationColumns;
}

const noDelegation: DelegationColumns = { parentId: null, constraints: null, maxMicro: null };

/** Makes access tokens (RFC 9068), says what they are worth now, and ends them. */
@Injectable()
export class AccessTokens {
  private readonly genuine: ExpiringCache<string, JWTPayload>;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: TokenSettings & Pick<IdentityConfig, 'policy'>,
    @Inject(SigningKeys) private readonly keys: SigningKeys,
    @Inject(ConsentUsesTask) private readonly uses: ConsentUsesTask,
  ) {
    this.genuine = new ExpiringCache(MAX_REMEMBERED, clock);
  }

  /** Undefined where the account is not active, or the client, or the family, has as many tokens as it may. */
  async issue(
    { clientId, accountId, scopes, family, life, delegation }: IssueToken,
    db: Queryable = this.pool,
  ): Promise<IssuedToken | undefined> {
    const nowMs = this.clock.nowMs();
    const tokenId = uuidv7(nowMs);
    const issuedAt = Math.floor(nowMs / 1_000);
    const lastsUntil = Math.floor((family?.endsAtMs ?? life?.endsAtMs ?? Infinity) / 1_000);
    const endsAt = Math.min(issuedAt + (life?.lifetimeSeconds ?? ACCESS_TOKEN_SECONDS), lastsUntil);
    const { keyId, privateKey } = await this.keys.signing();
    const times = { issuedAt: new Date(issuedAt * 1_000), expiresAt: new Date(endsAt * 1_000) };
    const row = {
      tokenId,
      clientId,
      accountId,
      scopes,
      familyId: family?.familyId ?? null,
      ...noDelegation,
      ...delegation,
      ...times,
    };
    if (!(await insertToken(db, row))) return undefined;
    // RFC 8693 §4.1: whoever verifies the token by its signature sees that it is held to more than it says.
    const actor = delegation === undefined ? {} : { act: { sub: clientId } };
    const accessToken = await new SignJWT({ client_id: clientId, scope: scopes.join(' '), ...actor })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: keyId })
      .setIssuer(this.settings.publicUrl)
      .setAudience(resourceOf(this.settings.publicUrl))
      .setSubject(accountId)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(endsAt)
      .sign(privateKey);
    return { accessToken, expiresInSeconds: endsAt - issuedAt, scopes };
  }

  /** By its signature and its claims alone, which is done once for each token. */
  async check(token: string): Promise<CheckedToken> {
    if (token.length > MAX_TOKEN_LENGTH) return { status: 'not_genuine' };
    const remembered = createHash('sha256').update(token).digest('base64');
    const known = this.genuine.get(remembered);
    if (known !== undefined) return { status: 'genuine', payload: known };
    try {
      const { alg, kid } = decodeProtectedHeader(token);
      // Neither a key nor an algorithm is ever taken from the token: `none` and a public key as an HMAC secret fail here.
      const key = alg === SIGNING_ALGORITHM && kid !== undefined ? await this.keys.verifying(kid) : undefined;
      if (key === undefined) return { status: 'not_genuine' };
      const nowMs = this.clock.nowMs();
      const { payload } = await jwtVerify(token, key, {
        algorithms: [SIGNING_ALGORITHM],
        issuer: this.settings.publicUrl,
        audience: resourceOf(this.settings.publicUrl),
        typ: TOKEN_TYPE,
        currentDate: new Date(nowMs),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        // By it the library also refuses a token that was issued in the future.
        maxTokenAge: ACCESS_TOKEN_SECONDS,
        requiredClaims: ['exp', 'iat', 'sub', 'jti', 'client_id', 'scope'],
      });
      const leftMs = (payload.exp ?? 0) * 1_000 - nowMs;
      // Its own end is not put off: the tolerance is for tokens that seem to come from the future.
      if (leftMs <= 0) return { status: 'expired', payload };
      this.genuine.set(remembered, payload, leftMs);
      return { status: 'genuine', payload };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { status: 'expired', payload: error.payload };
      if (error instanceof errors.JOSEError || error instanceof TypeError) return { status: 'not_genuine' };
      throw error;
    }
  }

  /** The row of a genuine token that may be used now. */
  async live(checked: CheckedToken): Promise<LiveToken | undefined> {
    const tokenId = checked.status === 'genuine' ? checked.payload.jti : undefined;
    return tokenId === undefined || !isUuid(tokenId) ? undefined : this.standing(tokenId);
  }

  private async standing(tokenId: string): Promise<LiveToken | undefined> {
    const row = await findToken(this.pool, tokenId);
    if (row === undefined || !stands(row)) return undefined;
    const { parentId, constraints, maxMicro } = row;
    if (parentId !== null && constraints !== null) {
      const parent = await this.standing(parentId);
      const maxCredits = maxMicro === null ? undefined : creditsFromMicro(BigInt(maxMicro));
      return parent && { ...row, key: parent.key, delegation: { parent, constraints, maxCredits } };
    }
    if (row.apiKeyId === null) return { ...row, key: undefined };
    const key = await findKeyById(this.pool, row.apiKeyId);
    return key !== undefined && isUsable(key, this.clock.nowMs()) ? { ...row, key } : undefined;
  }

  /** As for API keys: unknown, malformed, revoked and expired all answer alike. */
  async verifyCredential(token: string): Promise<VerifyCredentialResponse> {
    const live = await this.live(await this.check(token));
    if (live === undefined) return { valid: false };
    const familyId = live.familyId ?? live.delegation?.parent.familyId ?? null;
    if (familyId !== null) this.uses.used(familyId, this.clock.nowMs());
    return verifiedToken(live, this.settings.policy);
  }

  /** Ends a token and records that it did. Undefined where it had ended before. Milliseconds since the epoch. */
  async revoke({ tokenId, accountId }: TokenRow): Promise<number | undefined> {
    const nowMs = this.clock.nowMs();
    return inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, accountId);
      if (!(await markRevoked(tx, tokenId, new Date(nowMs)))) return undefined;
      const data = { accountId, tokenId, revokedAt: toIso(nowMs) };
      await appendAccountEvent(tx, { type: 'OAuthTokenRevoked', data }, nowMs, 'following');
      return nowMs;
    });
  }
}
