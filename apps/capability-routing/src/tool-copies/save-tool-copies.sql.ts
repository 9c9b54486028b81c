import { jsonTexts, jsonTextsSql, txOrderSql, type Queryable } from '@capability-router/event-store';
import type { ToolCopy } from './tool-copy.entity.js';

/** A tool that was retired, whose copy stays as it was. */
export interface RetiredTool {
  readonly toolId: string;
  readonly version: number;
}

const upsertSql = `
INSERT INTO tool_copies (tool_id, version, retired, provider_id, price, price_rule_hash, parameters_schema,
       one_of_required, region, owner_account_ids, result_schema, terms, change_order)
SELECT "toolId", version, retired, "providerId", price, "priceRuleHash", "parametersSchema",
       "oneOfRequired", region, "ownerAccountIds", "resultSchema", terms, ${txOrderSql()}
  FROM ROWS FROM (
         json_to_recordset($1::json) AS ("toolId" text, version int, retired boolean, "providerId" text, price jsonb,
           "priceRuleHash" text, "oneOfRequired" jsonb, region text, "ownerAccountIds" text[], terms jsonb),
         unnest(${jsonTextsSql('$2')}, ${jsonTextsSql('$3')})
       ) AS i("toolId", version, retired, "providerId", price, "priceRuleHash", "oneOfRequired", region, "ownerAccountIds",
         terms, "parametersSchema", "resultSchema")
 ORDER BY "toolId"
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, retired = excluded.retired,
  provider_id = excluded.provider_id, price = excluded.price, price_rule_hash = excluded.price_rule_hash,
  parameters_schema = excluded.parameters_schema, one_of_required = excluded.one_of_required,
  region = excluded.region, owner_account_ids = excluded.owner_account_ids, result_schema = excluded.result_schema,
  terms = excluded.terms,
  change_order = ${txOrderSql('tool_copies.change_order')}
WHERE tool_copies.version <= excluded.version`;

const retireSql = `
INSERT INTO tool_copies (tool_id, version, retired, change_order)
SELECT "toolId", version, true, ${txOrderSql()}
  FROM jsonb_to_recordset($1::jsonb) AS r("toolId" text, version int) ORDER BY "toolId"
ON CONFLICT (tool_id) DO UPDATE SET version = excluded.version, retired = true,
  change_order = ${txOrderSql('tool_copies.change_order')}
WHERE tool_copies.version <= excluded.version`;

/** One copy per tool at most. An older version never replaces a newer one. */
export async function saveToolCopies(db: Queryable, copies: readonly ToolCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const rows = copies.map(({ parametersSchema: _parameters, resultSchema: _result, ...row }) => row);
  const parametersSchemas = jsonTexts(copies.map(({ parametersSchema }) => parametersSchema));
  const resultSchemas = jsonTexts(copies.map(({ resultSchema }) => resultSchema ?? undefined));
  await db.query(upsertSql, [JSON.stringify(rows), parametersSchemas, resultSchemas]);
}

/** The rest of a copy stays as it was; of a tool that was not known it says nothing. */
export async function retireToolCopies(db: Queryable, tools: readonly RetiredTool[]): Promise<void> {
  if (tools.length > 0) await db.query(retireSql, [JSON.stringify(tools)]);
}
