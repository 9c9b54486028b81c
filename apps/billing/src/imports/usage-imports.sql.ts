import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import type { ImportRef } from '../settlement/domain/import-ref.js';
import type { ModelCall } from './domain/model-call.js';

export interface ImportedRow {
  readonly accountId: AccountId;
  readonly importId: string;
  readonly inputHash: string;
  readonly importRef: ImportRef;
}

const findSql = `
SELECT i.account_id, i.import_id, i.input_hash, i.import_ref FROM usage_imports i
  JOIN unnest($1::text[], $2::text[]) AS w (account_id, import_id) USING (account_id, import_id)`;

/** Those of these calls that were imported before, by account and import id with a blank between. */
export async function findImported(
  tx: pg.PoolClient,
  calls: readonly ModelCall[],
): Promise<Map<string, { readonly importRef: ImportRef; readonly inputHash: string }>> {
  const { rows } = await tx.query<{ account_id: string; import_id: string; input_hash: string; import_ref: ImportRef }>(
    findSql,
    [calls.map((call) => call.accountId), calls.map((call) => call.importId)],
  );
  return new Map(
    rows.map((row) => [`${row.account_id} ${row.import_id}`, { importRef: row.import_ref, inputHash: row.input_hash }]),
  );
}

const insertSql = `
INSERT INTO usage_imports (account_id, import_id, input_hash, import_ref, imported_at)
SELECT v.*, $5 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v`;

/** The primary key is what makes a second import of one call impossible. */
export async function insertImported(tx: pg.PoolClient, rows: readonly ImportedRow[], now: string): Promise<void> {
  await tx.query(insertSql, [
    rows.map((row) => row.accountId),
    rows.map((row) => row.importId),
    rows.map((row) => row.inputHash),
    rows.map((row) => row.importRef),
    now,
  ]);
}

export interface ImportingAccounts {
  readonly erased: ReadonlySet<string>;
  /** By API key. */
  readonly ownerOfKey: ReadonlyMap<string, string>;
}

/** Reads what is known of the accounts and keys that the calls name. */
export async function readAccounts(tx: pg.PoolClient, calls: readonly ModelCall[]): Promise<ImportingAccounts> {
  const keys = calls.flatMap((call) => call.apiKeyId ?? []);
  const erased = await tx.query<{ account_id: string }>(
    'SELECT account_id FROM erased_accounts WHERE account_id = ANY($1)',
    [calls.map((call) => call.accountId)],
  );
  const owners =
    keys.length === 0
      ? []
      : (
          await tx.query<{ api_key_id: string; account_id: string }>(
            'SELECT api_key_id, account_id FROM api_key_labels WHERE api_key_id = ANY($1)',
            [keys],
          )
        ).rows;
  return {
    erased: new Set(erased.rows.map((row) => row.account_id)),
    ownerOfKey: new Map(owners.map((row) => [row.api_key_id, row.account_id])),
  };
}
