import type { LocalizedText } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';

/** The capabilities that the current version of a tool declares; none where it is retired. */
export interface Declaration {
  readonly toolId: string;
  readonly version: number;
  readonly capabilityIds: readonly string[];
  readonly description: LocalizedText;
}

const upsertSql = `
INSERT INTO declared_capabilities (tool_id, version, capability_ids, description)
SELECT "toolId", version, "capabilityIds", description
  FROM jsonb_to_recordset($1::jsonb) AS i("toolId" text, version int, "capabilityIds" text[], description jsonb)
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, capability_ids = excluded.capability_ids,
  description = excluded.description
WHERE declared_capabilities.version <= excluded.version`;

/** One declaration per tool at most. An older version never replaces a newer one. */
export async function saveDeclarations(db: Queryable, declarations: readonly Declaration[]): Promise<void> {
  await db.query(upsertSql, [JSON.stringify(declarations)]);
}

export const findDeclarationSql =
  'SELECT description FROM declared_capabilities WHERE capability_ids @> ARRAY[$1::text] ORDER BY tool_id LIMIT 1';

/** How the first of the tools that declare it describes what it does; undefined where none declares it. */
export async function findDeclaration(db: Queryable, capabilityId: string): Promise<LocalizedText | undefined> {
  const { rows } = await db.query<{ description: LocalizedText }>(findDeclarationSql, [capabilityId]);
  return rows[0]?.description;
}
