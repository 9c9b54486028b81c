import type { JsonObject } from '@capability-router/kernel';
import type pg from 'pg';

/** The row of a check that has none yet. `nowIso`: ISO 8601. */
export async function beginCheck(pool: pg.Pool, name: string, initial: object, nowIso: string): Promise<void> {
  await pool.query(
    'INSERT INTO background_checks (check_name, state, updated_at) VALUES ($1, $2, $3) ON CONFLICT (check_name) DO NOTHING',
    [name, JSON.stringify(initial), nowIso],
  );
}

/** Until the transaction ends, a statement that takes longer is given up. */
export const limitStatements = (tx: pg.PoolClient, timeoutMs: number): Promise<unknown> =>
  tx.query(`SET LOCAL statement_timeout = ${timeoutMs}`);

/** The state that the last step left; undefined where another transaction holds the row. */
export async function lockCheck<State>(tx: pg.PoolClient, name: string): Promise<State | undefined> {
  const { rows } = await tx.query<{ state: State }>(
    'SELECT state FROM background_checks WHERE check_name = $1 FOR UPDATE SKIP LOCKED',
    [name],
  );
  return rows[0]?.state;
}

export async function saveCheck(tx: pg.PoolClient, name: string, state: object, nowIso: string): Promise<void> {
  await tx.query('UPDATE background_checks SET state = $2, updated_at = $3 WHERE check_name = $1', [
    name,
    JSON.stringify(state),
    nowIso,
  ]);
}

export interface CheckState {
  readonly state: JsonObject;
  readonly updatedAt: Date;
}

/** The last findings of all checks, whichever replica ran them. */
export async function readChecks(pool: pg.Pool): Promise<Map<string, CheckState>> {
  const { rows } = await pool.query<{ check_name: string; state: JsonObject; updated_at: Date }>(
    'SELECT check_name, state, updated_at FROM background_checks',
  );
  return new Map(rows.map((row) => [row.check_name, { state: row.state, updatedAt: row.updated_at }]));
}
