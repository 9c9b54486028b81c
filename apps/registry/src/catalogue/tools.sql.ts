import type { ToolContract } from '@capability-router/contracts';
import { jsonTexts, jsonTextsSql } from '@capability-router/event-store';
import type pg from 'pg';
import type { LiveTool, PlannedContract } from './domain/plan-tool.js';

interface LiveRow {
  tool_id: string;
  source: string;
  status: 'published' | 'retired';
  retired_by: 'source' | 'operator' | null;
  version: number;
  schema_hash: string;
  contract_hash: string;
  event_sequence: string;
}

const toLive = (row: LiveRow): LiveTool => ({
  toolId: row.tool_id,
  source: row.source,
  status: row.status,
  ...(row.status === 'retired' ? { retiredBy: row.retired_by ?? 'source' } : {}),
  version: row.version,
  schemaHash: row.schema_hash,
  contractHash: row.contract_hash,
  eventSequence: Number(row.event_sequence),
});

const columns = 'tool_id, source, status, retired_by, version, schema_hash, contract_hash, event_sequence';

export async function findLive(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, LiveTool>> {
  const { rows } = await db.query<LiveRow>(`SELECT ${columns} FROM tools WHERE tool_id = ANY($1)`, [toolIds]);
  return new Map(rows.map((row) => [row.tool_id, toLive(row)]));
}

export interface AbandonedQuery {
  readonly source: string;
  /** Only tools of this provider. */
  readonly providerId?: string;
  readonly kept: readonly string[];
  readonly limit: number;
}

/** Published tools of a source that are not among `kept`. */
export async function findAbandoned(db: pg.Pool | pg.PoolClient, query: AbandonedQuery): Promise<LiveTool[]> {
  const { rows } = await db.query<LiveRow>(
    `SELECT ${columns} FROM tools WHERE source = $1 AND status = 'published' AND tool_id <> ALL($2)
       AND ($4::text IS NULL OR provider_id = $4) ORDER BY tool_id LIMIT $3`,
    [query.source, query.kept, query.limit, query.providerId ?? null],
  );
  return rows.map(toLive);
}

/** Keeps the contracts that are about to be replaced. */
export async function archiveVersions(tx: pg.PoolClient, toolIds: readonly string[], now: string): Promise<void> {
  await tx.query(
    `INSERT INTO tool_versions (tool_id, version, source, schema_hash, contract_hash, contract, published_at, superseded_at)
     SELECT tool_id, version, source, schema_hash, contract_hash, contract, changed_at, $2 FROM tools WHERE tool_id = ANY($1)
     ON CONFLICT (tool_id, version) DO NOTHING`,
    [toolIds, now],
  );
}

export interface ToolRow {
  readonly source: string;
  readonly planned: PlannedContract;
  /** Who retired the row, if it is retired; `operator` where absent. */
  readonly retiredBy?: 'source' | 'operator' | undefined;
}

export async function saveTools(tx: pg.PoolClient, tools: readonly ToolRow[], changedAt: string): Promise<void> {
  const rows = tools.map(({ source, planned, retiredBy }) => ({
    tool_id: planned.contract.toolId,
    provider_id: planned.contract.providerId,
    source,
    status: planned.status,
    retired_by: planned.status === 'retired' ? (retiredBy ?? 'operator') : null,
    version: planned.contract.version,
    schema_hash: planned.contract.schemaHash,
    contract_hash: planned.contractHash,
    event_sequence: planned.eventSequence,
  }));
  await tx.query(
    `INSERT INTO tools (tool_id, provider_id, source, status, retired_by, version, schema_hash, contract_hash, contract, event_sequence, changed_at)
     SELECT tool_id, provider_id, source, status, retired_by, version, schema_hash, contract_hash, contract, event_sequence, $2::timestamptz
       FROM ROWS FROM (
              json_to_recordset($1::json) AS (tool_id text, provider_id text, source text, status text, retired_by text, version int,
                schema_hash text, contract_hash text, event_sequence bigint),
              unnest(${jsonTextsSql('$3')})
            ) AS i(tool_id, provider_id, source, status, retired_by, version, schema_hash, contract_hash, event_sequence, contract)
     ON CONFLICT (tool_id) DO UPDATE SET provider_id = excluded.provider_id, source = excluded.source, status = excluded.status,
       retired_by = excluded.retired_by, version = excluded.version, schema_hash = excluded.schema_hash,
       contract_hash = excluded.contract_hash, contract = excluded.contract, event_sequence = excluded.event_sequence,
       changed_at = excluded.changed_at`,
    [JSON.stringify(rows), changedAt, jsonTexts(tools.map(({ planned }) => planned.contract))],
  );
}

export async function markRetired(
  tx: pg.PoolClient,
  toolIds: readonly string[],
  by: 'source' | 'operator',
  changedAt: string,
): Promise<void> {
  await tx.query(
    `UPDATE tools SET status = 'retired', retired_by = $3, event_sequence = event_sequence + 1, changed_at = $2
      WHERE tool_id = ANY($1)`,
    [toolIds, changedAt, by],
  );
}

/** A tool that is retired already is now so by an operator's will. */
export async function claimRetirement(tx: pg.PoolClient, toolId: string): Promise<void> {
  await tx.query(`UPDATE tools SET retired_by = 'operator' WHERE tool_id = $1 AND status = 'retired'`, [toolId]);
}

export async function countPublished(tx: pg.PoolClient): Promise<number> {
  const { rows } = await tx.query<{ count: string }>(`SELECT count(*) FROM tools WHERE status = 'published'`);
  return Number(rows[0]?.count ?? 0);
}

export interface PublishedPage {
  readonly tools: readonly ToolContract[];
  /** The tool after which the next page begins; undefined on the last one. */
  readonly nextAfter: string | undefined;
}

/**
 * The status is a column and no condition: for a table without statistics, as after a large import or a restored backup, the planner
 * takes it for so rare that it reads and sorts the whole table for every page.
 */
export const publishedPageSql = `SELECT tool_id, CASE WHEN status = 'published' THEN contract END AS contract
  FROM tools WHERE tool_id > $1 ORDER BY tool_id LIMIT $2`;

/** The published ones among the next `limit` tools by id. */
export async function readPublishedPage(db: pg.Pool, afterToolId: string, limit: number): Promise<PublishedPage> {
  const { rows } = await db.query<{ tool_id: string; contract: ToolContract | null }>(publishedPageSql, [
    afterToolId,
    limit,
  ]);
  return {
    tools: rows.flatMap(({ contract }) => contract ?? []),
    nextAfter: rows.length < limit ? undefined : rows.at(-1)?.tool_id,
  };
}

/** Those of `toolIds` that are published now. */
export async function readPublishedByIds(db: pg.Pool, toolIds: readonly string[]): Promise<ToolContract[]> {
  const { rows } = await db.query<{ contract: ToolContract }>(
    `SELECT contract FROM tools WHERE status = 'published' AND tool_id = ANY($1)`,
    [toolIds],
  );
  return rows.map((row) => row.contract);
}

/** The current contracts of `toolIds`, whatever their status. */
export async function readContracts(
  db: pg.Pool | pg.PoolClient,
  toolIds: readonly string[],
): Promise<Map<string, ToolContract>> {
  const { rows } = await db.query<{ tool_id: string; contract: ToolContract }>(
    'SELECT tool_id, contract FROM tools WHERE tool_id = ANY($1)',
    [toolIds],
  );
  return new Map(rows.map((row) => [row.tool_id, row.contract]));
}
