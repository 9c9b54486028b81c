import type { Queryable } from '@capability-router/event-store';
import type { ToolCopyRecord } from './tool-copy.entity.js';

/** A tool that was retired, whose copy stays as it was. */
export interface RetiredTool {
  readonly toolId: string;
  readonly version: number;
}

const upsertSql = `
INSERT INTO tool_copies (tool_id, version, retired, provider_id, price, price_rule_hash, required_parameters,
       one_of_required, region, owner_account_ids)
SELECT "toolId", version, retired, "providerId", price, "priceRuleHash", "requiredParameters",
       "oneOfRequired", region, "ownerAccountIds"
  FROM jsonb_to_recordset($1::jsonb) AS i("toolId" text, version int, retired boolean, "providerId" text, price jsonb,
       "priceRuleHash" text, "requiredParameters" text[], "oneOfRequired" jsonb, region text, "ownerAccountIds" text[])
 ORDER BY "toolId"
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, retired = excluded.retired,
  provider_id = excluded.provider_id, price = excluded.price, price_rule_hash = excluded.price_rule_hash,
  required_parameters = excluded.required_parameters, one_of_required = excluded.one_of_required,
  region = excluded.region, owner_account_ids = excluded.owner_account_ids
WHERE tool_copies.version <= excluded.version`;

const retireSql = `
INSERT INTO tool_copies (tool_id, version, retired)
SELECT "toolId", version, true FROM jsonb_to_recordset($1::jsonb) AS r("toolId" text, version int) ORDER BY "toolId"
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, retired = true
WHERE tool_copies.version <= excluded.version`;

/** One copy per tool at most. An older version never replaces a newer one. */
export async function saveToolCopies(db: Queryable, copies: readonly ToolCopyRecord[]): Promise<void> {
  if (copies.length > 0) await db.query(upsertSql, [JSON.stringify(copies)]);
}

/** What a copy says beside stays as it was; of a tool that was not known it says nothing. */
export async function retireToolCopies(db: Queryable, tools: readonly RetiredTool[]): Promise<void> {
  if (tools.length > 0) await db.query(retireSql, [JSON.stringify(tools)]);
}
