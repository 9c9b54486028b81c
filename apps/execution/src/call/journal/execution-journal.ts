import type { ExecutionStarted } from '@capability-router/contracts';
import { GroupCommit, isOfSqlStateClass } from '@capability-router/event-store';
import { uuidv7, type Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { isClosed } from '../../closed-accounts/closed-accounts.sql.js';
import type { KeyClaim } from '../request/domain/key-claim.js';
import { GIVE_UP_GRACE_MS } from '../domain/deadlines.js';
import { endExecutions, endUnstarted, type End } from './end-executions.sql.js';
import type { ExecutionEnd, LastEvent, Payloads } from './domain/execution-end.js';
import { ExecutionMetrics } from './execution-metrics.js';
import { findLastEvent, isRunning } from './execution-state.sql.js';
import { isTooOld, startExecutions, type Start } from './start-executions.sql.js';

/** Events of one statement. */
const MAX_EVENTS_PER_STATEMENT = 100;
/** Statements of each kind at the same time: the second one takes what came while the first waits for its commit. */
const MAX_STATEMENTS = 2;
/** Events of each kind that wait to be written; above what a replica can have in flight, so that no end is ever refused. */
const MAX_WAITING = 100_000;
/**
 * SQLSTATE classes: data exception, integrity violation, transaction rollback (a deadlock), program limit exceeded, lock
 * not available.
 */
const faultsOfAnItem = ['22', '23', '40', '54', '55'];

/**
 * The event streams of executions: `Started` at 1, one end at 2; or an end at 1 and nothing else. The unique key on
 * (stream, sequence) lets exactly one end win, whoever writes it. Each event is written with its read models in one SQL
 * statement, which it shares with those that came while the one before was under way; a lone event waits for nobody.
 */
@Injectable()
export class ExecutionJournal {
  private readonly starts: GroupCommit<Start, boolean>;
  private readonly ends: GroupCommit<End, boolean>;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void = () => undefined,
    @Inject(ExecutionMetrics) private readonly metrics?: Pick<ExecutionMetrics, 'ended'>,
  ) {
    const limits = { maxItems: MAX_EVENTS_PER_STATEMENT, maxWrites: MAX_STATEMENTS, maxWaiting: MAX_WAITING };
    this.starts = new GroupCommit({ ...limits, isFaultOfAnItem, write: (items) => this.writeStarts(items) });
    this.ends = new GroupCommit({ ...limits, isFaultOfAnItem, write: (items) => this.writeEnds(items) });
  }

  /** False if the execution already has an event (somebody ended it before it began), if its key is taken, or if its id is too old. */
  start(
    started: ExecutionStarted,
    ownerId: string,
    deadlineMs: number,
    { claim, traceparent }: { readonly claim?: KeyClaim | undefined; readonly traceparent?: string | undefined } = {},
  ): Promise<boolean> {
    const eventId = uuidv7(this.clock.nowMs());
    return this.starts.add({ started, eventId, ownerId, giveUpMs: deadlineMs + GIVE_UP_GRACE_MS, claim, traceparent });
  }

  /** Ends a started execution. False if another end won. Safe to repeat with the same `eventId`. */
  async end(end: ExecutionEnd, eventId: string, payloads?: Payloads): Promise<boolean> {
    if (await this.ends.add({ end, eventId, payloads })) return true;
    // A repeat after a lost connection meets its own event.
    return (await this.last(end.data.executionId))?.eventId === eventId;
  }

  /** Ends an execution that was never started. False if the stream already has an event. */
  async endFirst(end: ExecutionEnd, payloads?: Payloads, traceparent?: string): Promise<boolean> {
    const eventId = uuidv7(this.clock.nowMs());
    const appended = await endUnstarted(this.pool, { end, eventId, payloads }, traceparent);
    if (appended) {
      this.committed();
      this.metrics?.ended(end);
    }
    return appended;
  }

  /** Does this owner still run it? False once anybody has ended it. */
  isRunning(executionId: string, ownerId: string): Promise<boolean> {
    return isRunning(this.pool, executionId, ownerId);
  }

  /** Was its id minted so long ago that its start is never written any more? */
  isTooOld(executionId: string): Promise<boolean> {
    return isTooOld(this.pool, executionId);
  }

  /** Is its account closed? Then its start is never written any more. */
  isOfClosedAccount({ accountId }: Pick<ExecutionStarted, 'accountId'>): Promise<boolean> {
    return isClosed(this.pool, accountId);
  }

  /** Undefined for an execution that has no event. */
  last(executionId: string): Promise<LastEvent | undefined> {
    return findLastEvent(this.pool, executionId);
  }

  private async writeStarts(items: readonly Start[]): Promise<boolean[]> {
    const appended = await startExecutions(this.pool, items);
    return items.map(({ eventId }) => appended.has(eventId));
  }

  private async writeEnds(items: readonly End[]): Promise<boolean[]> {
    const appended = await endExecutions(this.pool, items);
    if (appended.size > 0) this.committed();
    for (const { end, eventId } of items) if (appended.has(eventId)) this.metrics?.ended(end);
    return items.map(({ eventId }) => appended.has(eventId));
  }
}

/** Is the error about the data, or a deadlock, so that the items may be written in smaller groups? */
const isFaultOfAnItem = (error: unknown): boolean => isOfSqlStateClass(error, faultsOfAnItem);
