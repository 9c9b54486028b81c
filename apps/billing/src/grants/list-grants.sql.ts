import { creditsFromMicro, creditsToNumber, type AccountId, type JsonObject } from '@capability-router/kernel';
import type pg from 'pg';
import { metadataOfPaid, paidOf } from '../ledger/domain/money-paid.js';
import { unknownAccount } from './grant-to-account.js';

/** Newest first: the ids of lots are those of their entries, which sort by time. */
const listSql = `
SELECT l.*, e.entry_type, e.metadata FROM credit_lots l JOIN ledger_entries e ON e.entry_id = l.ledger_entry_id
 WHERE l.account_id = $1 AND ($2::text IS NULL OR l.lot_id < $2) ORDER BY l.lot_id DESC LIMIT $3`;

interface GrantRow {
  readonly lot_id: string;
  readonly category: string;
  readonly granted_micro: string;
  readonly remaining_micro: string;
  readonly expires_at: Date | null;
  readonly granted_at: Date;
  readonly entry_type: string;
  readonly metadata: JsonObject;
}

/** The money that was paid for a grant, where it was told. */
function shownPaid(metadata: JsonObject): JsonObject {
  const paid = paidOf(metadata);
  return paid === undefined ? {} : metadataOfPaid(paid);
}

const credits = (micro: string): number => creditsToNumber(creditsFromMicro(BigInt(micro)));

/** One page of an account's grants and what is left of each. Throws `not_found` for an account that is not known. */
export async function listGrants(
  pool: pg.Pool,
  accountId: AccountId,
  before: string | undefined,
  limit: number,
): Promise<JsonObject> {
  const { rows } = await pool.query<GrantRow>(listSql, [accountId, before ?? null, limit + 1]);
  if (rows.length === 0) await requireKnown(pool, accountId);
  const items = rows.slice(0, limit).map((row) => ({
    grant_id: row.lot_id,
    entry_type: row.entry_type,
    category: row.category,
    amount_credits: credits(row.granted_micro),
    remaining_credits: credits(row.remaining_micro),
    ...(row.expires_at === null ? {} : { expires_at: row.expires_at.toISOString() }),
    ...(typeof row.metadata['reference'] === 'string' ? { reference: row.metadata['reference'] } : {}),
    ...shownPaid(row.metadata),
    granted_at: row.granted_at.toISOString(),
  }));
  const last = items.at(-1);
  return {
    items,
    has_more: rows.length > limit,
    ...(rows.length > limit && last ? { next_before: last.grant_id } : {}),
  };
}

async function requireKnown(pool: pg.Pool, accountId: AccountId): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM account_balances WHERE account_id = $1', [accountId]);
  if (rowCount === 0) throw unknownAccount();
}
