import { DEVICE_CODE_GRANT } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { OAuthClientRecord } from '../oauth-clients/oauth-client.entity.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import type { Form } from '../tokens/form.js';
import { tokenAnswer, type Grant, type TokenAnswer } from '../tokens/grant.js';
import { OAuthError } from '../tokens/oauth-error.js';
import { RefreshFamilies } from '../tokens/refresh-families.js';
import { hashDeviceCode } from './codes.js';
import { findDeviceCode, recordPoll, useDeviceCode, type DeviceCodeRow } from './device-codes.sql.js';

/** Seconds by which the interval grows with each poll that comes too early: RFC 8628 §3.5. */
const SLOWER_BY_SECONDS = 5;
const SLOWEST_SECONDS = 60;

/** RFC 8628 §3.4: a program asks again and again whether somebody has consented, and gets its tokens once. */
@Injectable()
export class DeviceCodeGrant implements Grant {
  readonly grantType = DEVICE_CODE_GRANT;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(RefreshFamilies) private readonly families: RefreshFamilies,
  ) {}

  async answer(form: Form, client: OAuthClientRecord): Promise<TokenAnswer> {
    const hash = hashDeviceCode(form.need('device_code'));
    const row = hash === undefined ? undefined : await findDeviceCode(this.pool, hash);
    // A code of another client is none.
    if (row === undefined || row.clientId !== client.clientId || row.state === 'used') throw unknown();
    if (row.expiresAt.getTime() <= this.clock.nowMs()) throw refusals.expired();
    if (row.state === 'denied') throw refusals.denied();
    if (row.state === 'pending') throw await this.poll(row);
    return this.redeem(row, client);
  }

  /** Resolves to what a program is told that has to wait. */
  private async poll({ deviceId, polledAt, intervalSeconds }: DeviceCodeRow): Promise<OAuthError> {
    const nowMs = this.clock.nowMs();
    const early = polledAt !== null && nowMs - polledAt.getTime() < intervalSeconds * 1_000;
    const slower = Math.min(intervalSeconds + SLOWER_BY_SECONDS, SLOWEST_SECONDS);
    await recordPoll(this.pool, deviceId, new Date(nowMs), early ? slower : intervalSeconds);
    return early ? refusals.early(slower) : refusals.pending();
  }

  /** The code is used, the family begins and its first token is there: all or nothing. */
  private async redeem(row: DeviceCodeRow, { clientId, grantTypes }: OAuthClientRecord): Promise<TokenAnswer> {
    const { deviceId, accountId, apiKeyId, grantedScopes: scopes, resourcePath } = row;
    if (accountId === null || scopes === null) throw new Error('a consent is of nobody');
    const answer = await inTransaction(this.pool, async (tx) => {
      if (!(await useDeviceCode(tx, deviceId, new Date(this.clock.nowMs())))) throw unknown();
      const consent = { clientId, accountId, apiKeyId: apiKeyId ?? undefined, scopes, resourcePath };
      const family = await this.families.begin(tx, consent);
      if (family === undefined) throw refusals.denied();
      const issued = await this.tokens.issue({ clientId, accountId, scopes, family }, tx);
      if (issued === undefined) throw refusals.denied();
      const refreshes = grantTypes.includes('refresh_token');
      return { ...tokenAnswer(issued), ...(refreshes ? { refresh_token: family.refreshToken } : {}) };
    });
    this.committed();
    return answer;
  }
}

const unknown = (): OAuthError =>
  new OAuthError('invalid_grant', 'The device code is unknown, or was used. Begin again.');

const refusals = {
  pending: () => new OAuthError('authorization_pending', 'Nobody has consented yet. Ask again after the interval.'),
  early: (seconds: number) => new OAuthError('slow_down', `Ask every ${seconds} seconds.`),
  denied: () => new OAuthError('access_denied', 'The request was denied.'),
  expired: () => new OAuthError('expired_token', 'The device code has lapsed. Begin again.'),
};
