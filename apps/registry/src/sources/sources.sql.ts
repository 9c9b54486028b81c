import type pg from 'pg';
import type { SourceRequest } from './source-request.js';

export interface StoredSource {
  readonly sourceId: string;
  readonly kind: 'openapi' | 'mcp';
  readonly providerId: string;
  /** Without a document that was sent with it. */
  readonly request: SourceRequest;
  /** By the key of the tool at the source. */
  readonly toolIds: Readonly<Record<string, string>>;
  /** Tools of the last import by result. */
  readonly counts: Readonly<Record<string, number>>;
  readonly importedAt: Date;
}

const columns = `source_id AS "sourceId", kind, provider_id AS "providerId", request, tool_ids AS "toolIds", counts,
  imported_at AS "importedAt"`;

export async function findSource(db: pg.Pool, sourceId: string): Promise<StoredSource | undefined> {
  const { rows } = await db.query<StoredSource>(`SELECT ${columns} FROM tool_sources WHERE source_id = $1`, [sourceId]);
  return rows[0];
}

export async function listSources(db: pg.Pool, after: string, limit: number): Promise<StoredSource[]> {
  const { rows } = await db.query<StoredSource>(
    `SELECT ${columns} FROM tool_sources WHERE source_id > $1 ORDER BY source_id LIMIT $2`,
    [after, limit],
  );
  return rows;
}

export async function saveSource(
  db: pg.Pool,
  source: Omit<StoredSource, 'importedAt'>,
  importedAt: string,
): Promise<void> {
  const { sourceId, kind, providerId, request, toolIds, counts } = source;
  await db.query(
    `INSERT INTO tool_sources (source_id, kind, provider_id, request, tool_ids, counts, imported_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (source_id) DO UPDATE SET request = excluded.request, tool_ids = excluded.tool_ids,
       counts = excluded.counts, imported_at = excluded.imported_at`,
    [sourceId, kind, providerId, JSON.stringify(request), JSON.stringify(toolIds), JSON.stringify(counts), importedAt],
  );
}
