import type { Queryable } from '@capability-router/event-store';
import type { ToolContract } from '@capability-router/contracts';

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

/** As much of a copy as is always in memory. */
export interface KnownCopy {
  readonly version: number;
  readonly retired: boolean;
  /** Absent where the tool was retired before it was copied. */
  readonly providerId?: string;
}

interface KnownRow {
  readonly tool_id: string;
  readonly version: number;
  readonly retired: boolean;
  readonly provider_id: string | null;
}

interface ToolCopyRow extends KnownRow {
  /** As text: it is parsed where somebody asks for it. */
  readonly contract: string | null;
}

export interface StoredToolCopy extends KnownCopy {
  readonly toolId: string;
  /** JSON of a `ToolContract`; absent where the tool was retired before it was copied. */
  readonly contract?: string;
}

const known = "tool_id, version, retired, contract->>'providerId' AS provider_id";

const toKnown = ({ version, retired, provider_id: providerId }: KnownRow): KnownCopy => ({
  version,
  retired,
  ...(providerId === null ? {} : { providerId }),
});

/** With their contracts; unknown ids are not among them. */
export async function loadToolCopies(db: Queryable, toolIds: readonly string[]): Promise<StoredToolCopy[]> {
  if (toolIds.length === 0) return [];
  const { rows } = await db.query<ToolCopyRow>(
    `SELECT ${known}, contract::text FROM tool_copies WHERE tool_id = ANY ($1::text[])`,
    [toolIds],
  );
  return rows.map((row) => ({
    ...toKnown(row),
    toolId: row.tool_id,
    ...(row.contract === null ? {} : { contract: row.contract }),
  }));
}

type KnownEntry = readonly [toolId: string, copy: KnownCopy];

const toEntry = (row: KnownRow): KnownEntry => [row.tool_id, toKnown(row)];

/** Without their contracts; unknown ids are not among them. */
export async function loadKnownCopies(db: Queryable, toolIds: readonly string[]): Promise<KnownEntry[]> {
  if (toolIds.length === 0) return [];
  const { rows } = await db.query<KnownRow>(`SELECT ${known} FROM tool_copies WHERE tool_id = ANY ($1::text[])`, [
    toolIds,
  ]);
  return rows.map(toEntry);
}

/** Tools read at once at start. */
const LOAD_PAGE_ROWS = 5_000;

/** Every copy without its contract. */
export async function* allToolCopies(db: Queryable): AsyncGenerator<KnownEntry> {
  let after = '';
  for (;;) {
    const { rows } = await db.query<KnownRow>(
      `SELECT ${known} FROM tool_copies WHERE tool_id > $1 ORDER BY tool_id LIMIT ${LOAD_PAGE_ROWS}`,
      [after],
    );
    yield* rows.map(toEntry);
    const last = rows.at(-1);
    if (last === undefined || rows.length < LOAD_PAGE_ROWS) return;
    after = last.tool_id;
  }
}
