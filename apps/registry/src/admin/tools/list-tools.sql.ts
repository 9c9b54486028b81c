import type { ToolContract } from '@capability-router/contracts';
import type pg from 'pg';

export interface ListedTool {
  readonly contract: ToolContract;
  readonly source: string;
  readonly status: 'published' | 'retired';
  readonly retiredBy: 'source' | 'operator' | null;
  readonly changedAt: Date;
}

export interface ToolPage {
  readonly tools: readonly ListedTool[];
  /** Where the next page begins; absent on the last. */
  readonly next?: string;
}

interface Row {
  contract: ToolContract;
  source: string;
  status: 'published' | 'retired';
  retired_by: 'source' | 'operator' | null;
  changed_at: Date;
}

const columns = 'contract, source, status, retired_by, changed_at';
const toTool = (row: Row): ListedTool => ({
  contract: row.contract,
  source: row.source,
  status: row.status,
  retiredBy: row.status === 'retired' ? (row.retired_by ?? 'source') : null,
  changedAt: row.changed_at,
});

export async function listTools(
  db: pg.Pool,
  query: {
    readonly status: 'published' | 'retired';
    readonly providerId?: string | undefined;
    readonly after: string;
    readonly limit: number;
  },
): Promise<ToolPage> {
  const { rows } = await db.query<Row>(
    `SELECT ${columns} FROM tools WHERE status = $1 AND tool_id > $2 AND ($3::text IS NULL OR provider_id = $3)
     ORDER BY tool_id LIMIT $4`,
    [query.status, query.after, query.providerId ?? null, query.limit + 1],
  );
  const tools = rows.slice(0, query.limit).map(toTool);
  const last = tools.at(-1)?.contract.toolId;
  return { tools, ...(rows.length > query.limit && last !== undefined ? { next: last } : {}) };
}

export async function findTool(db: pg.Pool, toolId: string): Promise<ListedTool | undefined> {
  const { rows } = await db.query<Row>(`SELECT ${columns} FROM tools WHERE tool_id = $1`, [toolId]);
  return rows[0] === undefined ? undefined : toTool(rows[0]);
}

export interface ListedVersion {
  readonly version: number;
  readonly schemaHash: string;
  readonly source: string;
  readonly publishedAt: Date;
  /** Null for the current one. */
  readonly supersededAt: Date | null;
}

/** Versions that an answer lists, the newest. */
const MAX_LISTED_VERSIONS = 100;

export async function listVersions(db: pg.Pool, toolId: string): Promise<ListedVersion[]> {
  const { rows } = await db.query<{
    version: number;
    schema_hash: string;
    source: string;
    published_at: Date;
    superseded_at: Date | null;
  }>(
    `SELECT version, schema_hash, source, changed_at AS published_at, NULL AS superseded_at FROM tools WHERE tool_id = $1
     UNION ALL
     SELECT version, schema_hash, source, published_at, superseded_at FROM tool_versions WHERE tool_id = $1
     ORDER BY version DESC LIMIT ${MAX_LISTED_VERSIONS}`,
    [toolId],
  );
  return rows.map((row) => ({
    version: row.version,
    schemaHash: row.schema_hash,
    source: row.source,
    publishedAt: row.published_at,
    supersededAt: row.superseded_at,
  }));
}

export async function findVersion(db: pg.Pool, toolId: string, version: number): Promise<ToolContract | undefined> {
  const { rows } = await db.query<{ contract: ToolContract }>(
    `SELECT contract FROM tools WHERE tool_id = $1 AND version = $2
     UNION ALL SELECT contract FROM tool_versions WHERE tool_id = $1 AND version = $2 LIMIT 1`,
    [toolId, version],
  );
  return rows[0]?.contract;
}
