import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

/** A text of a tool: its embedding belongs to this and nothing else. */
export interface ToolText {
  readonly toolId: string;
  /** 64 lowercase hex digits. */
  readonly contentHash: string;
}

export interface StoredEmbedding extends ToolText {
  readonly vector: Int8Array;
}

/** Seconds after which work that a replica claimed and did not do is free again. */
const CLAIM_SECONDS = 300;
/** A text that the model refused is tried again after this. */
const REFUSED_SECONDS = 86_400;
/** Days for which the embeddings of a model that no replica uses are kept, for the way back. */
const UNUSED_MODEL_DAYS = 30;

const columnsOf = (texts: readonly ToolText[]): [string[], string[]] => [
  texts.map(({ toolId }) => toolId),
  texts.map(({ contentHash }) => contentHash),
];

/** The vectors of the texts that have one already. */
export async function findEmbeddings(
  pool: pg.Pool,
  modelKey: string,
  texts: readonly ToolText[],
): Promise<StoredEmbedding[]> {
  const { rows } = await pool.query<{ tool_id: string; content_hash: string; vector: Buffer }>(
    `SELECT e.tool_id, e.content_hash, e.vector FROM tool_embeddings e
       JOIN unnest($2::text[], $3::text[]) AS w(tool_id, content_hash) USING (tool_id, content_hash)
      WHERE e.model_key = $1 AND e.vector IS NOT NULL`,
    [modelKey, ...columnsOf(texts)],
  );
  return rows.map(({ tool_id: toolId, content_hash: contentHash, vector }) => ({
    toolId,
    contentHash,
    vector: new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
  }));
}

/** Claims texts for this replica to embed. Resolves to the ids of the tools whose texts it got. */
export async function claimEmbeddings(
  pool: pg.Pool,
  modelKey: string,
  texts: readonly ToolText[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ tool_id: string }>(
    `INSERT INTO tool_embeddings AS e (tool_id, model_key, content_hash, claimed_until)
     SELECT tool_id, $1, content_hash, now() + make_interval(secs => $4)
       FROM unnest($2::text[], $3::text[]) AS w(tool_id, content_hash) ORDER BY tool_id
     ON CONFLICT (tool_id, model_key, content_hash) DO UPDATE SET claimed_until = excluded.claimed_until
       WHERE e.vector IS NULL AND e.claimed_until < now()
     RETURNING tool_id`,
    [modelKey, ...columnsOf(texts), CLAIM_SECONDS],
  );
  return new Set(rows.map((row) => row.tool_id));
}

/** Keeps what was computed, and removes what was computed of former texts of the same tools. */
export async function saveEmbeddings(
  pool: pg.Pool,
  modelKey: string,
  embeddings: readonly StoredEmbedding[],
): Promise<void> {
  await pool.query(
    `WITH computed AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::bytea[]) AS c(tool_id, content_hash, vector)
     ), former AS (
       DELETE FROM tool_embeddings e USING computed c
        WHERE e.model_key = $1 AND e.tool_id = c.tool_id AND e.content_hash <> c.content_hash
     )
     INSERT INTO tool_embeddings (tool_id, model_key, content_hash, vector)
     SELECT tool_id, $1, content_hash, vector FROM computed ORDER BY tool_id
     ON CONFLICT (tool_id, model_key, content_hash) DO UPDATE SET vector = excluded.vector, claimed_until = NULL`,
    [modelKey, ...columnsOf(embeddings), embeddings.map(({ vector }) => Buffer.from(vector))],
  );
}

/** Gives a claim back: at once after a failure, much later where the model refused the text. */
export async function releaseEmbeddings(
  pool: pg.Pool,
  modelKey: string,
  texts: readonly ToolText[],
  why: 'failed' | 'refused',
): Promise<void> {
  await pool.query(
    `UPDATE tool_embeddings e SET claimed_until = now() + make_interval(secs => $4)
       FROM unnest($2::text[], $3::text[]) AS w(tool_id, content_hash)
      WHERE e.model_key = $1 AND e.tool_id = w.tool_id AND e.content_hash = w.content_hash AND e.vector IS NULL`,
    [modelKey, ...columnsOf(texts), why === 'refused' ? REFUSED_SECONDS : 0],
  );
}

/** Notes that a model is in use, and removes what belongs to models that have long not been. */
export async function keepModel(pool: pg.Pool, modelKey: string): Promise<void> {
  await pool.query(
    `INSERT INTO embedding_models (model_key, last_used_at) VALUES ($1, now())
     ON CONFLICT (model_key) DO UPDATE SET last_used_at = excluded.last_used_at`,
    [modelKey],
  );
  await repeatWhileFull(async (limit) => {
    const { rowCount } = await pool.query(
      `DELETE FROM tool_embeddings WHERE (tool_id, model_key, content_hash) IN (
         SELECT e.tool_id, e.model_key, e.content_hash FROM tool_embeddings e JOIN embedding_models m USING (model_key)
          WHERE m.last_used_at < now() - make_interval(days => $1) LIMIT $2 FOR UPDATE OF e SKIP LOCKED)`,
      [UNUSED_MODEL_DAYS, limit],
    );
    return rowCount ?? 0;
  });
}
