import type { ToolManifest } from '@capability-router/contracts';
import type pg from 'pg';
import type { Proposal } from './domain/plan-tool.js';

export interface StoredProposal extends Proposal {
  readonly providerId: string;
  readonly schemaHash: string;
  readonly manifest: ToolManifest;
  readonly proposedAt: Date;
}

interface ProposalRow {
  tool_id: string;
  provider_id: string;
  source: string;
  status: Proposal['status'];
  schema_hash: string;
  contract_hash: string;
  manifest: ToolManifest;
  proposed_at: Date;
}

const toProposal = (row: ProposalRow): StoredProposal => ({
  toolId: row.tool_id,
  providerId: row.provider_id,
  source: row.source,
  status: row.status,
  schemaHash: row.schema_hash,
  contractHash: row.contract_hash,
  manifest: row.manifest,
  proposedAt: row.proposed_at,
});

const columns = 'tool_id, provider_id, source, status, schema_hash, contract_hash, manifest, proposed_at';

/** Without their manifests: an import looks at many, and compares hashes. */
export async function findProposalHeads(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, Proposal>> {
  const { rows } = await db.query<ProposalRow>(
    'SELECT tool_id, source, status, contract_hash FROM tool_proposals WHERE tool_id = ANY($1)',
    [toolIds],
  );
  return new Map(
    rows.map((row) => [
      row.tool_id,
      { toolId: row.tool_id, source: row.source, status: row.status, contractHash: row.contract_hash },
    ]),
  );
}

export async function findProposal(db: pg.Pool | pg.PoolClient, toolId: string): Promise<StoredProposal | undefined> {
  const { rows } = await db.query<ProposalRow>(`SELECT ${columns} FROM tool_proposals WHERE tool_id = $1`, [toolId]);
  return rows[0] === undefined ? undefined : toProposal(rows[0]);
}

export async function readProposalsPage(
  db: pg.Pool,
  query: {
    readonly status: Proposal['status'];
    readonly providerId?: string | undefined;
    readonly after: string;
    readonly limit: number;
  },
): Promise<StoredProposal[]> {
  const { rows } = await db.query<ProposalRow>(
    `SELECT ${columns} FROM tool_proposals WHERE status = $1 AND tool_id > $2 AND ($4::text IS NULL OR provider_id = $4)
     ORDER BY tool_id LIMIT $3`,
    [query.status, query.after, query.limit, query.providerId ?? null],
  );
  return rows.map(toProposal);
}

export async function saveProposals(
  tx: pg.PoolClient,
  proposals: readonly Omit<StoredProposal, 'proposedAt'>[],
  proposedAt: string,
): Promise<void> {
  if (proposals.length === 0) return;
  const rows = proposals.map((proposal) => ({
    tool_id: proposal.toolId,
    provider_id: proposal.providerId,
    source: proposal.source,
    status: proposal.status,
    schema_hash: proposal.schemaHash,
    contract_hash: proposal.contractHash,
    manifest: proposal.manifest,
  }));
  await tx.query(
    `INSERT INTO tool_proposals (tool_id, provider_id, source, status, schema_hash, contract_hash, manifest, proposed_at)
     SELECT tool_id, provider_id, source, status, schema_hash, contract_hash, manifest, $2::timestamptz
       FROM json_to_recordset($1::json) AS i(tool_id text, provider_id text, source text, status text, schema_hash text,
            contract_hash text, manifest json)
     ON CONFLICT (tool_id) DO UPDATE SET provider_id = excluded.provider_id, source = excluded.source, status = excluded.status,
       schema_hash = excluded.schema_hash, contract_hash = excluded.contract_hash, manifest = excluded.manifest,
       proposed_at = excluded.proposed_at`,
    [JSON.stringify(rows), proposedAt],
  );
}

export async function dropProposals(tx: pg.PoolClient, toolIds: readonly string[]): Promise<void> {
  if (toolIds.length > 0) await tx.query('DELETE FROM tool_proposals WHERE tool_id = ANY($1)', [toolIds]);
}

export async function rejectProposal(tx: pg.PoolClient, toolId: string): Promise<void> {
  await tx.query(`UPDATE tool_proposals SET status = 'rejected' WHERE tool_id = $1`, [toolId]);
}
