import type { EndStatesRequest, EndStatesResponse, SearchEndStatesRequest } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { isBilledSearch } from './domain/billable-id.js';
import { claimHolds, type ClaimedHold } from './claim-holds.sql.js';
import { releaseHolds } from './release-holds.sql.js';

export interface HoldSweeperOptions {
  /** Holds looked at in one round. */
  readonly batchSize: number;
  /** Milliseconds until what still runs is asked about again. */
  readonly inquiryAgeMs: number;
}

export interface SweepReport {
  readonly asked: number;
  readonly released: number;
  /** Completed, but the event has not arrived: never captured here, only reported. */
  readonly awaitingSettlement: number;
}

/** Who knows how it ended: execution of executions, registry of searches. */
export interface HoldOwners {
  readonly askExecutions: (request: EndStatesRequest) => Promise<EndStatesResponse>;
  readonly askSearches: (request: SearchEndStatesRequest) => Promise<EndStatesResponse>;
}

type EndStates = EndStatesResponse['endStates'];

/**
 * Frees what was reserved by the dead. It never decides by itself that something is dead: the owner answers, and what
 * the owner does not know is ended by the question. It never captures either. Rejects where an owner did not answer,
 * after what the other one said was done.
 */
export async function sweepHolds(
  pool: pg.Pool,
  owners: HoldOwners,
  clock: Clock,
  options: HoldSweeperOptions,
): Promise<SweepReport> {
  const now = clock.nowMs();
  const rows = await claimHolds(pool, new Date(now), new Date(now + options.inquiryAgeMs), options.batchSize);
  if (rows.length === 0) return { asked: 0, released: 0, awaitingSettlement: 0 };
  const answers = await Promise.allSettled(ask(owners, rows));
  const endStates: EndStates = Object.fromEntries(
    answers.flatMap((answer) => (answer.status === 'fulfilled' ? Object.entries(answer.value) : [])),
  );
  const ended = rows.filter((row) => ['refused', 'interrupted'].includes(endStates[row.execution_id] ?? 'running'));
  const awaiting = rows.filter((row) => endStates[row.execution_id] === 'completed').length;
  const released = await releaseHolds(
    pool,
    ended.map((row) => row.execution_id),
    new Date(clock.nowMs()),
  );
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return { asked: rows.length, released, awaitingSettlement: awaiting };
}

function ask(owners: HoldOwners, holds: readonly ClaimedHold[]): Promise<EndStates>[] {
  const questions: Promise<EndStatesResponse>[] = [];
  const searches = holds.filter((hold) => isBilledSearch(hold.execution_id));
  const executions = holds.filter((hold) => !isBilledSearch(hold.execution_id));
  if (executions.length > 0) {
    const asked = executions.map((hold) => ({ executionId: hold.execution_id, accountId: hold.account_id }));
    questions.push(owners.askExecutions({ executions: asked }));
  }
  if (searches.length > 0) {
    const asked = searches.map((hold) => ({ searchId: hold.execution_id, accountId: hold.account_id }));
    questions.push(owners.askSearches({ searches: asked }));
  }
  return questions.map((question) => question.then(({ endStates }) => endStates));
}
