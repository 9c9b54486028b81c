import { txOrderSql } from '@capability-router/event-store';
import type pg from 'pg';

/** Begins the chain or locks its end, until the transaction ends. */
const lockHeadSql = `
INSERT INTO security_log_heads (chain) VALUES ($1)
    ON CONFLICT (chain) DO UPDATE SET chain = EXCLUDED.chain RETURNING entry_seq::text AS "entrySeq", last_hash AS "lastHash", last_tx_order::text AS "lastTxOrder"`;

export interface ChainHead {
  readonly entrySeq: string;
  readonly lastHash: string;
  /** The place in commit order of the last entry (`txOrderSql`), which the next one must not be before. */
  readonly lastTxOrder: string;
}

export async function lockHead(tx: pg.ClientBase, chain: string): Promise<ChainHead> {
  const { rows } = await tx.query<ChainHead>(lockHeadSql, [chain]);
  if (rows[0] === undefined) throw new Error(`the chain ${chain} has no head`);
  return rows[0];
}

/** Those of the ids that the log has; the heads of their chains must be locked. */
export async function knownEntries(tx: pg.ClientBase, entryIds: readonly string[]): Promise<ReadonlySet<string>> {
  const sql = 'SELECT entry_id AS id FROM security_log WHERE entry_id = ANY($1::uuid[])';
  const { rows } = await tx.query<{ id: string }>(sql, [entryIds]);
  return new Set(rows.map(({ id }) => id));
}

/** Entries, their details, and the new ends of their chains, at once. Details of an erased account are not kept. */
const appendSql = `
WITH entries AS (
  INSERT INTO security_log (entry_id, chain, entry_seq, action, account_id, actor_type, actor_account_id, actor_api_key_id,
         actor_client_id, credential_type, object_type, object_id, reason, occurrences, request_id, details_hash, recorded_at,
         previous_hash, hash, tx_order)
  SELECT "entryId", chain, "entrySeq", action, "accountId", "actorType", "actorAccountId", "actorApiKeyId", "actorClientId",
         "credentialType", "objectType", "objectId", reason, occurrences, "requestId", "detailsHash", "recordedAt", "previousHash", hash,
         ${txOrderSql('"lastTxOrder"')}
    FROM jsonb_to_recordset($1::jsonb) AS e ("entryId" uuid, chain text, "entrySeq" bigint, action text, "accountId" text, "actorType" text,
         "actorAccountId" text, "actorApiKeyId" text, "actorClientId" text, "credentialType" text, "objectType" text,
         "objectId" text, reason text, occurrences int, "requestId" text, "detailsHash" text, "recordedAt" timestamptz,
         "previousHash" text, hash text, "lastTxOrder" bigint)
   ORDER BY chain, "entrySeq"
), details AS (
  INSERT INTO security_log_details (entry_id, account_id, actor_account_id, salt, details)
  SELECT "entryId", "accountId", "actorAccountId", salt, details
    FROM jsonb_to_recordset($2::jsonb) AS d ("entryId" uuid, "accountId" text, "actorAccountId" text, salt text, details jsonb)
   WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.account_id IN (d."accountId", d."actorAccountId") AND a.erased_at IS NOT NULL)
)
INSERT INTO security_log_heads (chain, entry_seq, last_hash, last_tx_order)
SELECT chain, "entrySeq", "lastHash", ${txOrderSql('"lastTxOrder"')}
  FROM jsonb_to_recordset($3::jsonb) AS h (chain text, "entrySeq" bigint, "lastHash" text, "lastTxOrder" bigint)
 ORDER BY chain
    ON CONFLICT (chain) DO UPDATE SET entry_seq = EXCLUDED.entry_seq, last_hash = EXCLUDED.last_hash, last_tx_order = EXCLUDED.last_tx_order`;

/** Entries as they are written, and where each of their chains ends then. */
export interface AppendedEntries {
  readonly entries: readonly object[];
  readonly details: readonly object[];
  readonly heads: readonly (ChainHead & { readonly chain: string })[];
}

/** The heads must be locked, or of chains that nobody else can begin. */
export async function insertEntries(tx: pg.ClientBase, { entries, details, heads }: AppendedEntries): Promise<void> {
  const values = [entries, details, heads].map((rows) => JSON.stringify(rows));
  await tx.query({ name: 'append-security-log', text: appendSql, values });
}
