import { API_PREFIX, internalHeaders } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, COMMITTED, CONFIG, POOL } from '@capability-router/service-kit';
import { Body, Controller, Header, Headers, HttpCode, Inject, Post, UseFilters } from '@nestjs/common';
import type pg from 'pg';
import { awaitEviction } from '../evictions/await-eviction.js';
import { resourceOf, type TokenSettings } from '../signing-keys/token-settings.js';
import { AccessTokens } from './access-tokens.js';
import { authenticateClient, authenticateConfidentialClient } from './authenticate-client.js';
import { toldConstraints, type ToldConstraints } from './delegation/told-constraints.js';
import { Form } from './form.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { RefreshFamilies } from './refresh-families.js';
import type { FamilyRow } from './refresh-families.sql.js';
import { hashesOf } from './refresh-token.js';
import type { LiveToken } from './verified-token.js';

const CALLER_AUTHORIZATION = internalHeaders.callerAuthorization;

/** RFC 7662. A token that the client may not know about is answered as one that is none. */
type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly client_id: string;
      readonly sub: string;
      readonly scope: string;
      readonly aud: string;
      readonly iss: string;
      /** Only access tokens have it, as the type. */
      readonly jti?: string;
      /** Seconds since the epoch. */
      readonly iat: number;
      readonly exp: number;
      readonly token_type?: 'Bearer';
      /** Only delegation tokens have them. */
      readonly constraints?: ToldConstraints;
    };

/** Clients ask about tokens that they were given, and revoke them. Bodies are forms, and answers are never kept by anybody. */
@Controller(`${API_PREFIX}/oauth`)
@UseFilters(OAuthErrorFilter)
export class TokenStatusController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CONFIG) private readonly settings: TokenSettings,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(RefreshFamilies) private readonly families: RefreshFamilies,
  ) {}

  /** RFC 7662, for the confidential client that the token was issued to. */
  @Post('introspect')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async introspect(
    @Body() body: unknown,
    @Headers(CALLER_AUTHORIZATION) authorization: string | undefined,
  ): Promise<Introspection> {
    const form = await Form.read(body);
    const { clientId } = await authenticateConfidentialClient(this.pool, form, authorization);
    const found = await this.find(form.need('token'), clientId);
    if (found === undefined) return { active: false };
    const { publicUrl } = this.settings;
    const row = found.token ?? found.family;
    const delegation = found.token?.delegation;
    return {
      active: true,
      client_id: row.clientId,
      sub: row.accountId,
      scope: row.scopes.join(' '),
      aud: resourceOf(publicUrl),
      iss: publicUrl,
      ...(found.token === undefined ? {} : { jti: found.token.tokenId }),
      iat: seconds(found.token === undefined ? found.family.rotatedAt : found.token.issuedAt),
      exp: seconds(row.expiresAt),
      ...(found.token === undefined ? {} : { token_type: 'Bearer' as const }),
      ...(delegation === undefined ? {} : { constraints: toldConstraints(delegation) }),
    };
  }

  /**
   * RFC 7009, for the client that the token was issued to; a refresh token ends its family. Answers when no living gateway
   * takes the token any more, or after a second; the same whatever the token is.
   */
  @Post('revoke')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @AllowCallers('gateway')
  async revoke(
    @Body() body: unknown,
    @Headers(CALLER_AUTHORIZATION) authorization: string | undefined,
  ): Promise<Record<string, never>> {
    const form = await Form.read(body);
    const { clientId } = await authenticateClient(this.pool, form, authorization);
    const found = await this.find(form.need('token'), clientId);
    if (found?.family !== undefined) await this.families.revoke(found.family, 'client');
    if (found?.token === undefined) return {};
    const revokedAtMs = await this.tokens.revoke(found.token);
    if (revokedAtMs === undefined) return {};
    this.committed();
    await awaitEviction(this.pool, found.token.tokenId, { revokedAtMs, nowMs: this.clock.nowMs() });
    return {};
  }

  /** The token that may be used now and was issued to the client, or the family whose refresh token it is. */
  private async find(text: string, clientId: string): Promise<Found | undefined> {
    const tokenHash = hashesOf(text)?.tokenHash;
    if (tokenHash === undefined) {
      const token = await this.tokens.live(await this.tokens.check(text));
      return token?.clientId === clientId ? { token } : undefined;
    }
    const family = await this.families.find(text);
    if (family?.clientId !== clientId || !family.tokenHash.equals(tokenHash)) return undefined;
    return (await this.families.stands(family)) ? { family } : undefined;
  }
}

type Found =
  | { readonly token: LiveToken; readonly family?: undefined }
  | { readonly token?: undefined; readonly family: FamilyRow };

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
