import type { CapabilityContract } from '@capability-router/contracts';
import type pg from 'pg';
import type { PublishedVersion } from './domain/plan-publication.js';

/** Key of the advisory lock of all publications; the same in every build. */
const PUBLICATION_LOCK_KEY = 728_415_201;

/** Held until the end of the transaction: publications take turns, in whichever replica they run. */
export async function lockPublications(tx: pg.PoolClient): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [PUBLICATION_LOCK_KEY]);
}

export async function findVersions(
  tx: pg.PoolClient,
  capabilityIds: readonly string[],
): Promise<Map<string, PublishedVersion>> {
  const { rows } = await tx.query<{ capability_id: string; contract_version: number; schema_hash: string }>(
    'SELECT capability_id, contract_version, schema_hash FROM capabilities WHERE capability_id = ANY($1)',
    [capabilityIds],
  );
  return new Map(
    rows.map((row) => [row.capability_id, { contractVersion: row.contract_version, schemaHash: row.schema_hash }]),
  );
}

export async function saveContracts(
  tx: pg.PoolClient,
  contracts: readonly CapabilityContract[],
  publishedAt: string,
): Promise<void> {
  const rows = contracts.map((contract) => ({
    capability_id: contract.capabilityId,
    contract_version: contract.contractVersion,
    schema_hash: contract.schemaHash,
    contract,
  }));
  await tx.query(
    `INSERT INTO capabilities (capability_id, contract_version, schema_hash, contract, published_at)
     SELECT capability_id, contract_version, schema_hash, contract, $2::timestamptz
       FROM json_to_recordset($1::json) AS i(capability_id text, contract_version int, schema_hash text, contract json)
     ON CONFLICT (capability_id) DO UPDATE SET contract_version = excluded.contract_version,
       schema_hash = excluded.schema_hash, contract = excluded.contract, published_at = excluded.published_at`,
    [JSON.stringify(rows), publishedAt],
  );
}

export async function findContract(db: pg.Pool, capabilityId: string): Promise<CapabilityContract | undefined> {
  const { rows } = await db.query<{ contract: CapabilityContract }>(
    'SELECT contract FROM capabilities WHERE capability_id = $1',
    [capabilityId],
  );
  return rows[0]?.contract;
}
