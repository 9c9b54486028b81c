import type { ToolContract } from '@capability-router/contracts';
import type pg from 'pg';

/** Tools in one transaction. */
export const CHUNK_TOOLS = 200;

/** The next contracts behind `afterToolId` that refer to one of these, in the order of tool ids. */
export async function readReferring(
  tx: pg.PoolClient,
  to: { readonly providerIds: readonly string[]; readonly categorySlugs: readonly string[] },
  afterToolId: string,
): Promise<ToolContract[]> {
  const { rows } = await tx.query<{ contract: ToolContract }>(
    `SELECT contract FROM tools WHERE tool_id > $1 AND (provider_id = ANY($2) OR
           EXISTS (SELECT 1 FROM json_array_elements_text(contract->'categories') AS slug WHERE slug = ANY($3)))
         ORDER BY tool_id LIMIT ${CHUNK_TOOLS}`,
    [afterToolId, to.providerIds, to.categorySlugs],
  );
  return rows.map(({ contract }) => contract);
}
