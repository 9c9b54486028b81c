import type pg from 'pg';
import type { KeyRecord } from './api-key.js';
import { keyProjectColumns, keyProjectJoin } from '../projects/project-of-key.sql.js';
import { ratePlanColumns, ratePlanJoin } from '../rate-limit-plans/rate-plan-of-account.sql.js';
import { keyBudgetColumns } from './key-budgets.js';

/** Reads `KeyRecord`s, without a condition. */
export const keyRecordSql = `
SELECT k.api_key_id AS "apiKeyId", k.account_id AS "accountId", k.name, k.masked_value AS "maskedValue", k.scopes,
       ${keyBudgetColumns}, ${keyProjectColumns},
       k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", a.kind AS "accountKind", a.status AS "accountStatus",
       a.payment_required AS "paymentRequired", a.region,
       ${ratePlanColumns}
  FROM api_keys k JOIN accounts a USING (account_id) ${keyProjectJoin} ${ratePlanJoin}`;

// Named, so that each connection plans it once: this is the one query of a gateway cache miss.
const statement = { name: 'find-key-by-hash', text: `${keyRecordSql} WHERE k.key_hash = $1` };

export async function findKeyByHash(db: pg.Pool, keyHash: Buffer): Promise<KeyRecord | undefined> {
  const { rows } = await db.query<KeyRecord>({ ...statement, values: [keyHash] });
  return rows[0];
}
