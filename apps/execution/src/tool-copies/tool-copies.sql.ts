import type { Queryable } from '@capability-router/event-store';
import type { ToolContract } from '@capability-router/contracts';
import type { StoredToolCopy } from './tool-directory.js';

export interface ToolCopyChange {
  readonly toolId: string;
  readonly version: number;
  /** Absent for a retirement: what was copied before stays. */
  readonly tool?: ToolContract;
}

const upsertSql = `
INSERT INTO tool_copies (tool_id, version, contract, retired)
SELECT tool_id, version, contract, contract IS NULL
  FROM jsonb_to_recordset($1::jsonb) AS change(tool_id text, version int, contract jsonb)
ON CONFLICT (tool_id) DO UPDATE SET
  version = excluded.version, contract = coalesce(excluded.contract, tool_copies.contract), retired = excluded.retired
WHERE tool_copies.version <= excluded.version`;

/** One change per tool at most. An older version never replaces a newer one. */
export async function saveToolCopies(db: Queryable, changes: readonly ToolCopyChange[]): Promise<void> {
  // One text for all: as an array, each quote of each contract would be escaped here and unescaped there.
  const rows = changes.map(({ toolId, version, tool }) => ({ tool_id: toolId, version, contract: tool ?? null }));
  await db.query(upsertSql, [JSON.stringify(rows)]);
}

interface ToolCopyRow {
  readonly tool_id: string;
  /** As text: it is kept as it comes. */
  readonly contract: string | null;
  readonly provider_id: string | null;
  readonly retired: boolean;
}

const columns = "tool_id, contract::text, contract->>'providerId' AS provider_id, retired";

const toCopy = ({ contract, provider_id: providerId, retired }: ToolCopyRow): StoredToolCopy =>
  retired || contract === null || providerId === null ? undefined : { providerId, contract };

export type LoadedCopy = readonly [toolId: string, copy: StoredToolCopy];

export async function loadToolCopies(db: Queryable, toolIds: readonly string[]): Promise<LoadedCopy[]> {
  const { rows } = await db.query<ToolCopyRow>(`SELECT ${columns} FROM tool_copies WHERE tool_id = ANY ($1::text[])`, [
    toolIds,
  ]);
  return rows.map((row) => [row.tool_id, toCopy(row)]);
}

/** Tools read at once at start. */
const LOAD_PAGE_ROWS = 1_000;

/** Every copy, a page at a time. */
export async function* allToolCopies(db: Queryable): AsyncGenerator<LoadedCopy> {
  let after = '';
  for (;;) {
    const { rows } = await db.query<ToolCopyRow>(
      `SELECT ${columns} FROM tool_copies WHERE tool_id > $1 ORDER BY tool_id LIMIT ${LOAD_PAGE_ROWS}`,
      [after],
    );
    for (const row of rows) yield [row.tool_id, toCopy(row)];
    const last = rows.at(-1);
    if (last === undefined || rows.length < LOAD_PAGE_ROWS) return;
    after = last.tool_id;
  }
}
