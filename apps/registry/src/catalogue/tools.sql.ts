import type { ToolContract } from '@capability-router/contracts';
import type pg from 'pg';
import type { PublishedTool, Publication } from './domain/plan-publication.js';

interface PublishedRow {
  tool_id: string;
  status: 'published' | 'retired';
  version: number;
  contract_hash: string;
  event_sequence: string;
}

const toPublished = (row: PublishedRow): PublishedTool => ({
  toolId: row.tool_id,
  status: row.status,
  version: row.version,
  contractHash: row.contract_hash,
  eventSequence: Number(row.event_sequence),
});

const columns = 'tool_id, status, version, contract_hash, event_sequence';

export async function findPublished(
  tx: pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, PublishedTool>> {
  const { rows } = await tx.query<PublishedRow>(`SELECT ${columns} FROM tools WHERE tool_id = ANY($1)`, [toolIds]);
  return new Map(rows.map((row) => [row.tool_id, toPublished(row)]));
}

/** Published tools of a source that are not among `kept`, at most `limit`. */
export async function findAbandoned(
  tx: pg.PoolClient,
  source: string,
  kept: readonly string[],
  limit: number,
): Promise<PublishedTool[]> {
  const { rows } = await tx.query<PublishedRow>(
    `SELECT ${columns} FROM tools WHERE source = $1 AND status = 'published' AND tool_id <> ALL($2) ORDER BY tool_id LIMIT $3`,
    [source, kept, limit],
  );
  return rows.map(toPublished);
}

export async function savePublications(
  tx: pg.PoolClient,
  source: string,
  publications: readonly Publication[],
  changedAt: string,
): Promise<void> {
  const rows = publications.map(({ contract, contractHash, eventSequence }) => ({
    tool_id: contract.toolId,
    provider_id: contract.providerId,
    version: contract.version,
    schema_hash: contract.schemaHash,
    contract_hash: contractHash,
    contract,
    event_sequence: eventSequence,
  }));
  await tx.query(
    `INSERT INTO tools (tool_id, provider_id, source, status, version, schema_hash, contract_hash, contract, event_sequence, changed_at)
     SELECT tool_id, provider_id, $1, 'published', version, schema_hash, contract_hash, contract, event_sequence, $3::timestamptz
       FROM json_to_recordset($2::json) AS i(tool_id text, provider_id text, version int, schema_hash text, contract_hash text, contract json, event_sequence bigint)
     ON CONFLICT (tool_id) DO UPDATE SET provider_id = excluded.provider_id, source = excluded.source, status = 'published',
       version = excluded.version, schema_hash = excluded.schema_hash, contract_hash = excluded.contract_hash,
       contract = excluded.contract, event_sequence = excluded.event_sequence, changed_at = excluded.changed_at`,
    [source, JSON.stringify(rows), changedAt],
  );
}

export async function markRetired(tx: pg.PoolClient, toolIds: readonly string[], changedAt: string): Promise<void> {
  await tx.query(
    `UPDATE tools SET status = 'retired', event_sequence = event_sequence + 1, changed_at = $2 WHERE tool_id = ANY($1)`,
    [toolIds, changedAt],
  );
}

/** The next published contracts in the order of tool ids. */
export async function readPublishedPage(db: pg.Pool, afterToolId: string, limit: number): Promise<ToolContract[]> {
  const { rows } = await db.query<{ contract: ToolContract }>(
    `SELECT contract FROM tools WHERE status = 'published' AND tool_id > $1 ORDER BY tool_id LIMIT $2`,
    [afterToolId, limit],
  );
  return rows.map((row) => row.contract);
}

/** Those of `toolIds` that are published now. */
export async function readPublishedByIds(db: pg.Pool, toolIds: readonly string[]): Promise<ToolContract[]> {
  const { rows } = await db.query<{ contract: ToolContract }>(
    `SELECT contract FROM tools WHERE status = 'published' AND tool_id = ANY($1)`,
    [toolIds],
  );
  return rows.map((row) => row.contract);
}
