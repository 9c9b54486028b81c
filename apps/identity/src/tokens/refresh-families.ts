import type { FamilyRevocationReason } from '@capability-router/contracts';
import { toIso, uuidv7, type Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, CONFIG, inTransaction, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { appendAccountEvent } from '../accounts/append-account-event.js';
import { lockAccount } from '../accounts/lock-account.js';
import { isUsable } from '../api-keys/api-key.js';
import { findKeyById } from '../api-keys/find-key-by-id.sql.js';
import type { IdentityConfig } from '../config.js';
import { awaitEviction } from '../evictions/await-eviction.js';
import type { ResourcePath } from '../signing-keys/token-settings.js';
import { hashesOf, newRefreshToken } from './refresh-token.js';
import {
  findFamily,
  findFamilyById,
  insertFamily,
  listSurplusFamilies,
  markFamilyRevoked,
  type FamilyRow,
} from './refresh-families.sql.js';

/** Families of one account and client that stand: with another one the oldest ends. */
export const MAX_FAMILIES = 20;

/** A person's consent to a client. */
export interface Consent {
  readonly clientId: string;
  readonly accountId: string;
  /** Undefined where the person signed in by an e-mailed code. */
  readonly apiKeyId: string | undefined;
  readonly scopes: readonly string[];
  /** The client asked for it by this name. */
  readonly resourcePath: ResourcePath;
}

export interface BegunFamily {
  readonly familyId: string;
  /** The plain token. It exists here and in the answer, nowhere else. */
  readonly refreshToken: string;
  readonly endsAtMs: number;
}

export interface EndedFamily {
  readonly accountId: string;
  readonly clientId: string;
  readonly revokedAtMs: number;
  readonly isHeard: boolean;
}

/** Each consent gives a family of tokens that stand and end together. */
@Injectable()
export class RefreshFamilies {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'refreshMs'>,
  ) {}

  /** Begins one in the caller's transaction. Undefined where the account, or the key that was shown, is of no use by now. */
  async begin(tx: pg.ClientBase, consent: Consent): Promise<BegunFamily | undefined> {
    const { clientId, accountId, apiKeyId, scopes, resourcePath } = consent;
    const nowMs = this.clock.nowMs();
    const account = await lockAccount(tx, accountId);
    if (account?.status !== 'active') return undefined;
    const key = apiKeyId === undefined ? undefined : await findKeyById(tx, apiKeyId);
    if (apiKeyId !== undefined && (key === undefined || !isUsable(key, nowMs))) return undefined;
    const refreshToken = newRefreshToken();
    const hashes = hashesOf(refreshToken);
    if (hashes === undefined) throw new Error('a refresh token that was made is none');
    const familyId = uuidv7(nowMs);
    const endsAtMs = Math.min(nowMs + this.config.refreshMs, key?.expiresAt?.getTime() ?? Infinity);
    const times = { beganAt: new Date(nowMs), expiresAt: new Date(endsAtMs) };
    const given = { familyId, clientId, accountId, apiKeyId: apiKeyId ?? null, scopes, resourcePath };
    await insertFamily(tx, { ...given, ...hashes, ...times });
    const data = {
      accountId,
      familyId,
      clientId,
      scopes,
      ...(apiKeyId === undefined ? {} : { apiKeyId }),
      beganAt: toIso(nowMs),
      expiresAt: toIso(endsAtMs),
    };
    await appendAccountEvent(tx, { type: 'OAuthFamilyBegan', data }, nowMs, 'following');
    const surplus = await listSurplusFamilies(tx, { accountId, clientId, now: new Date(nowMs), kept: MAX_FAMILIES });
    for (const older of surplus) await this.end(tx, { accountId, clientId, familyId: older }, 'surplus', nowMs);
    return { familyId, refreshToken, endsAtMs };
  }

  /**
   * The family of a refresh token, where its tokens may be used: neither it nor what it depends on has ended. `tokenHash`
   * is not compared.
   */
  async find(token: string): Promise<FamilyRow | undefined> {
    const hashes = hashesOf(token);
    return hashes === undefined ? undefined : findFamily(this.pool, hashes.familyHash);
  }

  /** May tokens of the family be used now, by all that it depends on? */
  async stands(family: FamilyRow): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    if (family.revokedAt !== null || family.expiresAt.getTime() <= nowMs || family.clientRevokedAt !== null)
      return false;
    if (family.accountStatus !== 'active' || family.ownerStatus !== 'active') return false;
    if (family.apiKeyId === null) return true;
    const key = await findKeyById(this.pool, family.apiKeyId);
    return key !== undefined && isUsable(key, nowMs);
  }

  /** Ends it with all its tokens. Resolves when no living gateway takes one any more, or after a second. */
  async revoke(
    family: Pick<FamilyRow, 'familyId' | 'accountId' | 'clientId'>,
    reason: FamilyRevocationReason,
  ): Promise<void> {
    const nowMs = this.clock.nowMs();
    const ended = await inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, family.accountId);
      return this.end(tx, family, reason, nowMs);
    });
    if (!ended) return;
    this.committed();
    await awaitEviction(this.pool, family.familyId, { revokedAtMs: nowMs, nowMs });
  }

  /**
   * As `revoke`, by its id; one that had ended before ends no other time. `of`: whose it has to be. `isHeard`: false where a
   * gateway may take a token of it still. Undefined where there is none.
   */
  async revokeById(
    familyId: string,
    reason: FamilyRevocationReason,
    of?: { readonly accountId: string },
  ): Promise<EndedFamily | undefined> {
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, async (tx) => {
      const found = await findFamilyById(tx, familyId);
      if (found === undefined || (of !== undefined && found.accountId !== of.accountId)) return undefined;
      await lockAccount(tx, found.accountId);
      if (await this.end(tx, found, reason, nowMs)) return { ...found, revokedAtMs: nowMs, isNew: true };
      // It may have ended, or gone with its account, while the lock was waited for.
      const { revokedAt } = (await findFamilyById(tx, familyId)) ?? { revokedAt: null };
      return revokedAt === null ? undefined : { ...found, revokedAtMs: revokedAt.getTime(), isNew: false };
    });
    if (result === undefined) return undefined;
    if (result.isNew) this.committed();
    const { accountId, clientId, revokedAtMs } = result;
    return {
      accountId,
      clientId,
      revokedAtMs,
      isHeard: await awaitEviction(this.pool, familyId, { revokedAtMs, nowMs }),
    };
  }

  /** The caller holds the lock of the account. False where it had ended before. */
  private async end(
    tx: pg.ClientBase,
    { familyId, accountId, clientId }: Pick<FamilyRow, 'familyId' | 'accountId' | 'clientId'>,
    reason: FamilyRevocationReason,
    nowMs: number,
  ): Promise<boolean> {
    if (!(await markFamilyRevoked(tx, familyId, new Date(nowMs)))) return false;
    const data = { accountId, familyId, clientId, reason, revokedAt: toIso(nowMs) };
    await appendAccountEvent(tx, { type: 'OAuthFamilyRevoked', data }, nowMs, 'following');
    return true;
  }
}
