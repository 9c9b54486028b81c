import type { CategoryDefinition, ProviderDefinition } from '@capability-router/contracts';
import type pg from 'pg';

export interface StoredDefinition<T> {
  readonly source: string;
  readonly definition: T;
  readonly hash: string;
}

type Kind = 'provider' | 'category';
type DefinitionOf<K extends Kind> = K extends 'provider' ? ProviderDefinition : CategoryDefinition;

const tables = {
  provider: { table: 'catalogue_providers', key: 'provider_id' },
  category: { table: 'catalogue_categories', key: 'slug' },
} as const;

export async function findDefinitions<K extends Kind>(
  db: pg.Pool | pg.PoolClient,
  kind: K,
  ids: readonly string[],
): Promise<Map<string, StoredDefinition<DefinitionOf<K>>>> {
  if (ids.length === 0) return new Map();
  const { table, key } = tables[kind];
  const { rows } = await db.query<{ id: string; source: string; definition: DefinitionOf<K>; hash: string }>(
    `SELECT ${key} AS id, source, definition, definition_hash AS hash FROM ${table} WHERE ${key} = ANY($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, source, definition, hash }) => [id, { source, definition, hash }]));
}

/** A definition that tools may show in an older form, as it was when it was looked at. */
export interface UnrefreshedDefinition {
  readonly id: string;
  /** Names this state of its row: any change, be it to the same hash, makes another. */
  readonly state: string;
}

/** Those among `ids` whose tools are not known to show them as they are. */
export async function findUnrefreshed(
  db: pg.Pool,
  kind: Kind,
  ids: readonly string[],
): Promise<UnrefreshedDefinition[]> {
  if (ids.length === 0) return [];
  const { table, key } = tables[kind];
  const { rows } = await db.query<UnrefreshedDefinition>(
    `SELECT ${key} AS id, xmin::text AS state FROM ${table}
      WHERE ${key} = ANY($1) AND refreshed_hash IS DISTINCT FROM definition_hash`,
    [ids],
  );
  return rows;
}

/** All tools show these by now. One that has changed meanwhile stays as it is. */
export async function markRefreshed(
  db: pg.Pool,
  kind: Kind,
  refreshed: readonly UnrefreshedDefinition[],
): Promise<void> {
  if (refreshed.length === 0) return;
  const { table, key } = tables[kind];
  await db.query(
    `UPDATE ${table} SET refreshed_hash = definition_hash
       FROM json_to_recordset($1::json) AS i(id text, state text) WHERE ${key} = i.id AND ${table}.xmin::text = i.state`,
    [JSON.stringify(refreshed)],
  );
}

/** A new one has no tools yet; those of a changed one do not show it until `markRefreshed`. */
export async function saveDefinitions(
  tx: pg.PoolClient,
  kind: Kind,
  definitions: ReadonlyMap<string, StoredDefinition<object>>,
  changedAt: string,
): Promise<void> {
  if (definitions.size === 0) return;
  const { table, key } = tables[kind];
  const rows = [...definitions].map(([id, { source, definition, hash }]) => ({ id, source, definition, hash }));
  await tx.query(
    `INSERT INTO ${table} (${key}, source, definition, definition_hash, refreshed_hash, changed_at)
     SELECT id, source, definition, hash, hash, $2::timestamptz
       FROM json_to_recordset($1::json) AS i(id text, source text, definition json, hash text)
     ON CONFLICT (${key}) DO UPDATE SET source = excluded.source, definition = excluded.definition,
       definition_hash = excluded.definition_hash, refreshed_hash = NULL, changed_at = excluded.changed_at`,
    [JSON.stringify(rows), changedAt],
  );
}
