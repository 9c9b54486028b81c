import type pg from 'pg';
import type { ChargedUse } from './domain/charged-use.js';
import type { FeedbackTerm } from './domain/feedback-terms.js';

const findQueriesSql = `
SELECT i.ordinal::int, p.query
  FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) WITH ORDINALITY AS i(account_id, tool_id, search_id, usage_event_id, ordinal)
  JOIN search_results r ON r.search_id = i.search_id AND r.account_id = i.account_id AND i.tool_id = ANY(r.tool_ids)
  JOIN discovery_payloads p ON p.usage_event_id = i.usage_event_id AND p.account_id = i.account_id AND p.query IS NOT NULL
  JOIN tools t ON t.tool_id = i.tool_id
 WHERE NOT EXISTS (
         SELECT FROM json_array_elements_text(t.contract #> '{provider,ownerAccountIds}') AS owner WHERE owner = i.account_id)
   AND NOT EXISTS (SELECT FROM erased_accounts e WHERE e.account_id = i.account_id)
 ORDER BY i.ordinal`;

/**
 * The queries of those uses whose search is the account's own and showed the tool. Calls of the provider's own accounts
 * are not among them, nor are those of an account that has been erased or whose texts are gone.
 */
export async function findQueries(
  tx: pg.PoolClient,
  uses: readonly ChargedUse[],
): Promise<{ use: ChargedUse; query: string }[]> {
  const { rows } = await tx.query<{ ordinal: number; query: string }>(findQueriesSql, [
    uses.map(({ accountId }) => accountId),
    uses.map(({ toolId }) => toolId),
    uses.map(({ searchId }) => searchId),
    uses.map(({ usageEventId }) => usageEventId),
  ]);
  return rows.flatMap(({ ordinal, query }) => {
    const use = uses[ordinal - 1];
    return use === undefined ? [] : [{ use, query }];
  });
}

const saveUsesSql = `
INSERT INTO feedback_uses (account_id, tool_id, used_on, terms, words)
SELECT account_id, tool_id, (used_at AT TIME ZONE 'UTC')::date, terms, words
  FROM jsonb_to_recordset($1::jsonb) AS i(account_id text, tool_id text, used_at timestamptz, terms text[], words text[])
 ORDER BY account_id, tool_id, used_at
ON CONFLICT (account_id, tool_id, used_on) DO NOTHING RETURNING tool_id`;

/** The first use of an account, tool and day stays. Resolves to the tools that have a new one. */
export async function saveUses(
  tx: pg.PoolClient,
  uses: readonly { use: ChargedUse; terms: readonly FeedbackTerm[] }[],
): Promise<string[]> {
  if (uses.length === 0) return [];
  const rows = uses.map(({ use, terms }) => ({
    account_id: use.accountId,
    tool_id: use.toolId,
    used_at: new Date(use.usedAtMs).toISOString(),
    terms: terms.map(({ term }) => term),
    words: terms.map(({ word }) => word),
  }));
  const saved = await tx.query<{ tool_id: string }>(saveUsesSql, [JSON.stringify(rows)]);
  return [...new Set(saved.rows.map((row) => row.tool_id))];
}

/** After the uses were written: whoever computes the terms clears the mark before it reads them. */
export async function markFeedbackOutdated(tx: pg.PoolClient, toolIds: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO tool_feedback AS f (tool_id, computed_on)
     SELECT tool_id, '-infinity' FROM unnest($1::text[]) AS tool_id ORDER BY tool_id
     ON CONFLICT (tool_id) DO UPDATE SET computed_on = '-infinity' WHERE f.computed_on <> '-infinity'`,
    [toolIds],
  );
}
