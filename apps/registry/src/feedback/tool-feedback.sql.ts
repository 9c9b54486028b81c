import { txOrderSql } from '@capability-router/event-store';
import type pg from 'pg';
import type { WeightedTerm } from './domain/term-weight.js';

/** Clears the mark of at most `limit` tools that are due and locks them. Those in another's hands are left out. */
export async function claimDue(tx: pg.PoolClient, today: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ tool_id: string }>(
    `UPDATE tool_feedback f SET computed_on = $1::date
       FROM (SELECT tool_id FROM tool_feedback WHERE computed_on < $1::date
              ORDER BY computed_on LIMIT $2 FOR UPDATE SKIP LOCKED) due
      WHERE f.tool_id = due.tool_id RETURNING f.tool_id`,
    [today, limit],
  );
  return rows.map((row) => row.tool_id);
}

/** The word of a term is the one most often used, the first in the alphabet among equals. */
const sumUsesSql = `
SELECT tool_id, word, uses FROM (
  SELECT u.tool_id, mode() WITHIN GROUP (ORDER BY pair.word COLLATE "C") AS word,
         sum(power(0.5::float8, ($2::date - u.used_on)::float8 / $4::float8)) AS uses,
         row_number() OVER (PARTITION BY u.tool_id ORDER BY
           sum(power(0.5::float8, ($2::date - u.used_on)::float8 / $4::float8)) DESC, pair.term COLLATE "C") AS place
    FROM feedback_uses u
    CROSS JOIN LATERAL unnest(u.terms, u.words) AS pair(term, word)
    JOIN tools t ON t.tool_id = u.tool_id
   WHERE u.tool_id = ANY($1) AND u.used_on >= $3::date
     AND u.account_id NOT IN (SELECT json_array_elements_text(t.contract #> '{provider,ownerAccountIds}'))
   GROUP BY u.tool_id, pair.term
  HAVING count(DISTINCT u.account_id) >= $5
) ranked WHERE place <= $6 ORDER BY tool_id, place`;

/** Terms that enough accounts used, weightiest first, with their uses by age. */
export async function sumUses(
  tx: pg.PoolClient,
  toolIds: readonly string[],
  window: {
    readonly today: string;
    readonly fromDay: string;
    readonly halfLifeDays: number;
    readonly minAccounts: number;
    readonly maxTerms: number;
  },
): Promise<{ toolId: string; word: string; uses: number }[]> {
  const { rows } = await tx.query<{ tool_id: string; word: string; uses: number }>(sumUsesSql, [
    toolIds,
    window.today,
    window.fromDay,
    window.halfLifeDays,
    window.minAccounts,
    window.maxTerms,
  ]);
  return rows.map(({ tool_id: toolId, word, uses }) => ({ toolId, word, uses }));
}

/** Terms that are what they were keep their place in the order of changes. */
export async function saveFeedback(
  tx: pg.PoolClient,
  feedback: ReadonlyMap<string, readonly WeightedTerm[]>,
): Promise<void> {
  const rows = [...feedback].map(([tool_id, terms]) => ({ tool_id, terms }));
  await tx.query(
    `UPDATE tool_feedback f SET terms = i.terms, change_order = ${txOrderSql()}
       FROM jsonb_to_recordset($1::jsonb) AS i(tool_id text, terms jsonb)
      WHERE f.tool_id = i.tool_id AND f.terms <> i.terms`,
    [JSON.stringify(rows)],
  );
}
