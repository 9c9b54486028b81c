import type { LedgerEntryType } from '@capability-router/contracts';
import { creditsFromMicro, type AccountId, type JsonObject } from '@capability-router/kernel';
import type pg from 'pg';
import { projectOf } from '../ledger/domain/project-of.js';
import type { FoundEntry } from './domain/found-entry.js';

interface EntryRow {
  readonly entry_id: string;
  readonly entry_type: LedgerEntryType;
  readonly amount_micro: string;
  readonly source_ref_type: string;
  readonly source_ref_id: string;
  readonly execution_id: string | null;
  readonly effective_at: Date;
  readonly metadata: JsonObject;
}

const findSql = `
SELECT entry_id, entry_type, amount_micro, source_ref_type, source_ref_id, execution_id, effective_at, metadata
  FROM ledger_entries WHERE account_id = $1 AND entry_id = $2`;

/** Undefined for what is not there, or is another account's. */
export async function findEntry(tx: pg.PoolClient, accountId: AccountId, id: string): Promise<FoundEntry | undefined> {
  const { rows } = await tx.query<EntryRow>(findSql, [accountId, id]);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    entryId: row.entry_id,
    entryType: row.entry_type,
    amount: creditsFromMicro(BigInt(row.amount_micro)),
    sourceRefType: row.source_ref_type,
    sourceRefId: row.source_ref_id,
    executionId: row.execution_id,
    effectiveAt: row.effective_at.toISOString(),
    ...projectOf(row.metadata),
  };
}

const settledSql = `SELECT ledger_entry_id FROM settlements WHERE source_ref_id = ANY($1) AND account_id = $2`;
const billablePrefixes = ['exec', 'srch', 'imp'];

/** The references that the audit row with this id can be of: its id is the UUID inside of them. */
const billableIdsOf = (usageEventId: string): string[] => {
  const digits = usageEventId.replaceAll('-', '').toLowerCase();
  return billablePrefixes.map((prefix) => `${prefix}_${digits}`);
};

/**
 * The charge of an execution, a search or an imported call, or of the usage event with this id. `uncharged`: it was
 * settled without one. Undefined: it is not there, is not settled yet, or is another account's.
 */
export async function findChargeOf(
  tx: pg.PoolClient,
  accountId: AccountId,
  of: string,
): Promise<FoundEntry | 'uncharged' | undefined> {
  const billableIds = of.includes('_') ? [of] : billableIdsOf(of);
  const { rows } = await tx.query<{ ledger_entry_id: string | null }>(settledSql, [billableIds, accountId]);
  const [row] = rows;
  if (row === undefined) return undefined;
  return row.ledger_entry_id === null ? 'uncharged' : findEntry(tx, accountId, row.ledger_entry_id);
}
