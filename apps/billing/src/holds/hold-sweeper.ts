import type { EndStatesRequest, EndStatesResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { releaseHolds } from './release-holds.js';

export interface HoldSweeperOptions {
  /** Holds looked at in one round. */
  readonly batchSize: number;
  /** Milliseconds until an execution that still runs is asked about again. */
  readonly inquiryAgeMs: number;
}

export interface SweepReport {
  readonly asked: number;
  readonly released: number;
  /** Completed executions whose event has not arrived: never captured here, only reported. */
  readonly awaitingSettlement: number;
}

type AskEndStates = (request: EndStatesRequest) => Promise<EndStatesResponse>;

/**
 * Claims a batch by pushing `inquire_after` on, so that replicas do not ask about the same holds at once and no row
 * stays locked while execution is asked.
 */
const claimSql = `
UPDATE holds SET inquire_after = $2
 WHERE execution_id IN (
   SELECT execution_id FROM holds WHERE state = 'open' AND inquire_after <= $1
    ORDER BY inquire_after LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING execution_id, account_id`;

/**
 * Frees what dead executions reserved. It never decides by itself that one is dead: execution answers, and an
 * execution that it does not know is ended by the question. It never captures either.
 */
export async function sweepHolds(
  pool: pg.Pool,
  ask: AskEndStates,
  clock: Clock,
  options: HoldSweeperOptions,
): Promise<SweepReport> {
  const now = clock.nowMs();
  const { rows } = await pool.query<{ execution_id: string; account_id: string }>(claimSql, [
    new Date(now),
    new Date(now + options.inquiryAgeMs),
    options.batchSize,
  ]);
  if (rows.length === 0) return { asked: 0, released: 0, awaitingSettlement: 0 };
  const { endStates } = await ask({
    executions: rows.map((row) => ({ executionId: row.execution_id, accountId: row.account_id })),
  });
  const ended = rows.filter((row) => ['refused', 'interrupted'].includes(endStates[row.execution_id] ?? 'running'));
  const awaiting = rows.filter((row) => endStates[row.execution_id] === 'completed').length;
  const released = await releaseHolds(
    pool,
    ended.map((row) => row.execution_id),
    new Date(clock.nowMs()),
  );
  return { asked: rows.length, released, awaitingSettlement: awaiting };
}
