import type pg from 'pg';
import type { KeyRecord } from './api-key.js';
import { keyBudgetColumns } from './key-budgets.js';

// Named, so that each connection plans it once: this is the one query of a gateway cache miss.
const statement = {
  name: 'find-key-by-hash',
  text: `
SELECT k.api_key_id AS "apiKeyId", k.account_id AS "accountId", k.name, k.masked_value AS "maskedValue", k.scopes,
       ${keyBudgetColumns},
       k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", a.kind AS "accountKind", a.status AS "accountStatus", a.region
  FROM api_keys k JOIN accounts a USING (account_id)
 WHERE k.key_hash = $1`,
};

export async function findKeyByHash(db: pg.Pool, keyHash: Buffer): Promise<KeyRecord | undefined> {
  const { rows } = await db.query<KeyRecord>({ ...statement, values: [keyHash] });
  return rows[0];
}
