import { toIso } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { beginCheck, limitStatements, lockCheck, saveCheck } from './background-checks.sql.js';

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
  await beginCheck(pool, name, initial, toIso(nowMs));
  return inTransaction(
    pool,
    async (tx) => {
      await limitStatements(tx, STATEMENT_TIMEOUT_MS);
      const last = await lockCheck<State>(tx, name);
      const state = last === undefined ? undefined : await step(tx, { ...initial, ...last });
      if (state !== undefined) await saveCheck(tx, name, state, toIso(nowMs));
      return state;
    },
    snapshot ? { isolation: 'snapshot' } : {},
  );
}
