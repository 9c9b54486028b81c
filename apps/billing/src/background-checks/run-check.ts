import { toIso, type JsonObject } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';

/** Milliseconds of one statement of a check: what takes longer is given up and tried again at the next round. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** One step of a check: from the state that the last step of any replica left, to the next. */
export type CheckStep<State> = (tx: pg.PoolClient, state: State) => Promise<State>;

/**
 * One step in a short transaction that holds the row of the check, so that one replica is at it at a time. Undefined:
 * another one is. What the step writes and its new state are committed together.
 * @param snapshot the step reads everything as it was at one moment
 */
export async function runCheck<State extends object>(
  pool: pg.Pool,
  {
    name,
    initial,
    nowMs,
    snapshot = false,
  }: {
    readonly name: string;
    readonly initial: State;
    readonly nowMs: number;
    readonly snapshot?: boolean;
  },
  step: CheckStep<State>,
): Promise<State | undefined> {
  await pool.query(
    'INSERT INTO background_checks (check_name, state, updated_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [name, JSON.stringify(initial), toIso(nowMs)],
  );
  return inTransaction(
    pool,
    async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
      const { rows } = await tx.query<{ state: State }>(
        'SELECT state FROM background_checks WHERE check_name = $1 FOR UPDATE SKIP LOCKED',
        [name],
      );
      const [row] = rows;
      const state = row === undefined ? undefined : await step(tx, { ...initial, ...row.state });
      if (state !== undefined) {
        await tx.query('UPDATE background_checks SET state = $2, updated_at = $3 WHERE check_name = $1', [
          name,
          JSON.stringify(state),
          toIso(nowMs),
        ]);
      }
      return state;
    },
    snapshot ? { isolation: 'snapshot' } : {},
  );
}

export interface CheckState {
  readonly state: JsonObject;
  readonly updatedAt: Date;
}

/** What all checks found last, whichever replica ran them. */
export async function readChecks(pool: pg.Pool): Promise<Map<string, CheckState>> {
  const { rows } = await pool.query<{ check_name: string; state: JsonObject; updated_at: Date }>(
    'SELECT check_name, state, updated_at FROM background_checks',
  );
  return new Map(rows.map((row) => [row.check_name, { state: row.state, updatedAt: row.updated_at }]));
}
