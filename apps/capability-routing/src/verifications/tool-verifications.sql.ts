import type { ToolVerification } from '@capability-router/contracts';
import { txOrderSql, type Queryable } from '@capability-router/event-store';

export interface VerdictRow {
  readonly tool_id: string;
  readonly verdict: ToolVerification;
}

/** As a replica's copy reads it. */
export const verdictRows = { table: 'tool_verifications', key: 'tool_id', columns: ['tool_id', 'verdict'] };

const saveSql = `
INSERT INTO tool_verifications AS v (tool_id, recorded_at, verdict, change_order)
SELECT tool_id, (verdict->>'recordedAt')::timestamptz, verdict, ${txOrderSql()}
  FROM jsonb_to_recordset($1::jsonb) AS i(tool_id text, verdict jsonb) ORDER BY tool_id
ON CONFLICT (tool_id) DO UPDATE SET recorded_at = excluded.recorded_at, verdict = excluded.verdict,
  change_order = ${txOrderSql('v.change_order')}
WHERE v.recorded_at <= excluded.recorded_at`;

/** One verdict per tool at most. An older one never replaces a newer one. */
export async function saveVerdicts(db: Queryable, verdicts: ReadonlyMap<string, ToolVerification>): Promise<void> {
  if (verdicts.size === 0) return;
  const rows = [...verdicts].map(([tool_id, verdict]) => ({ tool_id, verdict }));
  await db.query(saveSql, [JSON.stringify(rows)]);
}
