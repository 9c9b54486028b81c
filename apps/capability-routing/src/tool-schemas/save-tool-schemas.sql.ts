import type { Queryable } from '@capability-router/event-store';
import type { ToolSchemaRecord } from './tool-schema.entity.js';

const upsertSql = `
INSERT INTO tool_schemas (tool_id, version, retired, parameters_schema, one_of_required, result_schema)
SELECT "toolId", version, retired, "parametersSchema", "oneOfRequired", "resultSchema"
  FROM json_to_recordset($1::json) AS i("toolId" text, version int, retired boolean, "parametersSchema" json,
       "oneOfRequired" jsonb, "resultSchema" json)
 ORDER BY "toolId"
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, retired = excluded.retired,
  parameters_schema = excluded.parameters_schema, one_of_required = excluded.one_of_required,
  result_schema = excluded.result_schema
WHERE tool_schemas.version <= excluded.version`;

/** One row per tool at most. An older version never replaces a newer one. */
export async function saveToolSchemas(db: Queryable, schemas: readonly ToolSchemaRecord[]): Promise<void> {
  if (schemas.length > 0) await db.query(upsertSql, [JSON.stringify(schemas)]);
}

const retireSql = `
UPDATE tool_schemas SET version = r.version, retired = true
  FROM json_to_recordset($1::json) AS r("toolId" text, version int)
 WHERE tool_id = r."toolId" AND tool_schemas.version <= r.version`;

/** A tool that was not known stays unknown. */
export async function retireToolSchemas(
  db: Queryable,
  tools: readonly { readonly toolId: string; readonly version: number }[],
): Promise<void> {
  if (tools.length > 0) await db.query(retireSql, [JSON.stringify(tools)]);
}
