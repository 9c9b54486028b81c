import type { AccountKind, DelegationConstraints } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';
import type { AccountStatus } from '../accounts/account.js';
import type { RatePlanColumns } from '../rate-limit-plans/rate-limit-plan.js';
import { ratePlanColumns, ratePlanJoin } from '../rate-limit-plans/rate-plan-of-account.sql.js';

/** Columns that a delegation token has beside every other one; all are null where there is none. */
export interface DelegationColumns {
  /** The token that it was exchanged for. */
  readonly parentId: string | null;
  readonly constraints: DelegationConstraints | null;
  /** Decimal string of what may be spent over its life; null also where it names no bound. */
  readonly maxMicro: string | null;
}

export interface NewTokenRow extends DelegationColumns {
  readonly tokenId: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** The consent of a person; null where a client acts by itself. */
  readonly familyId: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Tokens that one client has of itself and that have neither ended nor been revoked: beyond it the client asks for tokens faster than it uses them. */
export const MAX_LIVE_TOKENS_OF_CLIENT = 1_000;
/** Tokens of one family that have neither ended nor been revoked. */
export const MAX_LIVE_TOKENS_OF_FAMILY = 20;

// The count is not locked, so that as many more can come to be as connections insert at the same moment.
const insertSql = `
INSERT INTO oauth_tokens (token_id, client_id, account_id, scopes, issued_at, expires_at, family_id, parent_id, constraints, max_micro)
SELECT $1, $2, a.account_id, $4, $5, $6, $8::uuid, $9, $10, $11
  FROM accounts a
 WHERE a.account_id = $3 AND a.status = 'active'
   AND CASE WHEN $8::uuid IS NULL
            THEN (SELECT count(*) FROM oauth_tokens WHERE client_id = $2 AND expires_at > $5 AND revoked_at IS NULL AND family_id IS NULL)
            ELSE (SELECT count(*) FROM oauth_tokens WHERE family_id = $8::uuid AND expires_at > $5 AND revoked_at IS NULL) END < $7`;

/** False where the account is not active, or the client, or the family, has as many tokens as it may. */
export async function insertToken(db: Queryable, row: NewTokenRow): Promise<boolean> {
  const { rowCount } = await db.query(insertSql, [
    row.tokenId,
    row.clientId,
    row.accountId,
    row.scopes,
    row.issuedAt,
    row.expiresAt,
    row.familyId === null ? MAX_LIVE_TOKENS_OF_CLIENT : MAX_LIVE_TOKENS_OF_FAMILY,
    row.familyId,
    row.parentId,
    row.constraints === null ? null : JSON.stringify(row.constraints),
    row.maxMicro,
  ]);
  return rowCount === 1;
}

// Named, so that each connection plans it once: this is the one query of a gateway cache miss.
const find = {
  name: 'find-oauth-token',
  text: `
SELECT t.token_id AS "tokenId", t.client_id AS "clientId", t.account_id AS "accountId", t.scopes,
       t.family_id AS "familyId", t.issued_at AS "issuedAt", t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt",
       f.revoked_at AS "familyRevokedAt", f.api_key_id AS "apiKeyId", c.revoked_at AS "clientRevokedAt",
       c.account_id AS "ownerId", o.status AS "ownerStatus", a.kind AS "accountKind", a.status AS "accountStatus",
       a.payment_required AS "paymentRequired", a.region,
       ${ratePlanColumns},
       t.parent_id AS "parentId", t.constraints, t.max_micro AS "maxMicro"
  FROM oauth_tokens t
  JOIN oauth_clients c USING (client_id)
  JOIN accounts a ON a.account_id = t.account_id
  JOIN accounts o ON o.account_id = c.account_id
  LEFT JOIN oauth_families f USING (family_id)
  ${ratePlanJoin}
 WHERE t.token_id = $1`,
};

export interface TokenRow extends NewTokenRow, RatePlanColumns {
  readonly revokedAt: Date | null;
  readonly clientRevokedAt: Date | null;
  readonly familyRevokedAt: Date | null;
  /** The key that the family depends on. */
  readonly apiKeyId: string | null;
  /** The account that the client was registered for. */
  readonly ownerId: string;
  readonly ownerStatus: AccountStatus;
  readonly accountKind: AccountKind;
  readonly accountStatus: AccountStatus;
  /** The account is blocked for non-payment. */
  readonly paymentRequired: boolean;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
}

export async function findToken(db: Queryable, tokenId: string): Promise<TokenRow | undefined> {
  return (await db.query<TokenRow>({ ...find, values: [tokenId] })).rows[0];
}

const revokeSql = `UPDATE oauth_tokens SET revoked_at = $2 WHERE token_id = $1 AND revoked_at IS NULL`;

/** False where it was revoked before. */
export async function markRevoked(db: Queryable, tokenId: string, at: Date): Promise<boolean> {
  return (await db.query(revokeSql, [tokenId, at])).rowCount === 1;
}

const purgeSql = `
DELETE FROM oauth_tokens WHERE token_id IN (
  SELECT token_id FROM oauth_tokens WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** @returns how many rows were removed, at most `limit` */
export async function purgeTokens(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(purgeSql, [before, limit])).rowCount ?? 0;
}
