import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { OAuthClientRecord } from '../oauth-clients/oauth-client.entity.js';
import type { TokenSettings } from '../signing-keys/token-settings.js';
import { AccessTokens, type IssuedToken } from './access-tokens.js';
import type { Form } from './form.js';
import { tokenAnswer, type Grant, type TokenAnswer } from './grant.js';
import { judgeRefresh } from './judge-refresh.js';
import { OAuthError } from './oauth-error.js';
import { RefreshFamilies } from './refresh-families.js';
import { rotateFamily, type FamilyRow } from './refresh-families.sql.js';
import { hashesOf, newRefreshToken } from './refresh-token.js';
import { requestedScopes, requestedResource } from './requested-access.js';

/** RFC 6749 §6: another access token of a family, and another refresh token in place of the one that is shown. */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly grantType = 'refresh_token';

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly settings: TokenSettings,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(RefreshFamilies) private readonly families: RefreshFamilies,
  ) {}

  async answer(form: Form, { clientId }: OAuthClientRecord): Promise<TokenAnswer> {
    const presented = form.need('refresh_token');
    const family = await this.families.find(presented);
    // A token of another client is none; who shows it has no part in its family.
    if (family === undefined || family.clientId !== clientId) throw refused();
    await this.requireCurrent(family, presented);
    const scopes = requestedScopes(form, family.scopes);
    requestedResource(form, this.settings);
    if (!(await this.families.stands(family))) throw refused();
    const refreshToken = newRefreshToken(presented);
    const issued = await this.rotate(family, refreshToken, scopes);
    if (issued !== undefined) return { ...tokenAnswer(issued), refresh_token: refreshToken };
    // Another use of the same token came first. It is judged by what that one left.
    const after = await this.families.find(presented);
    if (after !== undefined) await this.requireCurrent(after, presented);
    throw refused();
  }

  /** Throws `OAuthError` for every token but the one that may be used. One that was replaced before ends its family. */
  private async requireCurrent(family: FamilyRow, presented: string): Promise<void> {
    const tokenHash = hashesOf(presented)?.tokenHash;
    if (tokenHash === undefined) throw refused();
    const verdict = judgeRefresh(family, tokenHash, this.clock.nowMs());
    if (verdict === 'current') return;
    if (verdict === 'reused') await this.families.revoke(family, 'reuse');
    throw verdict === 'just_replaced' ? justReplaced() : refused();
  }

  /** Both happen or neither. Undefined where the token is not the current one any more. */
  private rotate(family: FamilyRow, successor: string, scopes: readonly string[]): Promise<IssuedToken | undefined> {
    const successorHash = hashesOf(successor)?.tokenHash;
    if (successorHash === undefined) throw new Error('a refresh token that was made is none');
    const { clientId, accountId, familyId, expiresAt } = family;
    return inTransaction(this.pool, async (tx) => {
      if (!(await rotateFamily(tx, family, successorHash, new Date(this.clock.nowMs())))) return undefined;
      const ofFamily = { familyId, endsAtMs: expiresAt.getTime() };
      const issued = await this.tokens.issue({ clientId, accountId, scopes, family: ofFamily }, tx);
      if (issued === undefined) throw tooMany();
      return issued;
    });
  }
}

const refused = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is of no use: it was used, has ended or is not of this client. Sign in again.',
  );
const justReplaced = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token was used a moment ago. Use what the other request was answered.');
const tooMany = (): OAuthError =>
  new OAuthError('invalid_request', 'Use the access tokens that were issued until they end.');
