import { CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import { GroupCommit, isOfSqlStateClass } from '@capability-router/event-store';
import { uuidv7, usageEventIdOf, type Clock, type ExecutionId } from '@capability-router/kernel';
import {
  topicNames,
  type ExecutionCompleted,
  type ExecutionInterrupted,
  type ExecutionRefused,
  type ExecutionStarted,
} from '@capability-router/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { KeptAnswer, KeyClaim } from '../request/key-claim.js';
import { GIVE_UP_GRACE_MS } from '../deadlines.js';
import {
  endExecutionsSql,
  endKeyedExecutionsSql,
  firstAndLastEventSql,
  isRunningSql,
  isTooOldSql,
  lastEventSql,
  startExecutionsSql,
  startKeyedExecutionsSql,
} from './execution-journal.sql.js';

export type ExecutionEnd =
  | { readonly type: 'ExecutionCompleted'; readonly data: ExecutionCompleted }
  | { readonly type: 'ExecutionRefused'; readonly data: ExecutionRefused }
  | { readonly type: 'ExecutionInterrupted'; readonly data: ExecutionInterrupted };

/** Kept apart from the event, because it can be erased. The first two are JSON texts. */
export interface Payloads {
  readonly request: string;
  readonly response?: string;
  /** The answer that is kept; only a call with an idempotency key has one. */
  readonly answer?: KeptAnswer;
}

export interface LastEvent {
  readonly type: 'ExecutionStarted' | ExecutionEnd['type'];
  readonly eventId: string;
  readonly data: ExecutionStarted | ExecutionEnd['data'];
}

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

interface Start {
  readonly started: ExecutionStarted;
  readonly eventId: string;
  readonly ownerId: string;
  readonly giveUpMs: number;
  readonly claim: KeyClaim | undefined;
}

interface End {
  readonly end: ExecutionEnd;
  readonly eventId: string;
  readonly payloads: Payloads | undefined;
}

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
  ) {
    const limits = { maxItems: MAX_EVENTS_PER_STATEMENT, maxWrites: MAX_STATEMENTS, maxWaiting: MAX_WAITING };
    this.starts = new GroupCommit({ ...limits, isFaultOfAnItem, write: (items) => this.writeStarts(items) });
    this.ends = new GroupCommit({ ...limits, isFaultOfAnItem, write: (items) => this.writeEnds(items) });
  }

  /** False if the execution already has an event (somebody ended it before it began), if its key is taken, or if its id is too old. */
  start(started: ExecutionStarted, ownerId: string, deadlineMs: number, claim?: KeyClaim): Promise<boolean> {
    const eventId = uuidv7(this.clock.nowMs());
    return this.starts.add({ started, eventId, ownerId, giveUpMs: deadlineMs + GIVE_UP_GRACE_MS, claim });
  }

  /** Ends a started execution. False if another end won. Safe to repeat with the same `eventId`. */
  async end(end: ExecutionEnd, eventId: string, payloads?: Payloads): Promise<boolean> {
    if (await this.ends.add({ end, eventId, payloads })) return true;
    // A repeat after a lost connection meets its own event.
    return (await this.last(end.data.executionId))?.eventId === eventId;
  }

  /** Ends an execution that was never started. False if the stream already has an event. */
  endFirst(end: ExecutionEnd, payloads?: Payloads): Promise<boolean> {
    return this.appendFirst(end, uuidv7(this.clock.nowMs()), payloads);
  }

  /** Does this owner still run it? False once anybody has ended it. */
  async isRunning(executionId: string, ownerId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ running: boolean }>(isRunningSql, [executionId, ownerId]);
    return rows[0]?.running ?? false;
  }

  /** Was its id minted so long ago that its start is never written any more? */
  async isTooOld(executionId: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ too_old: boolean }>(isTooOldSql, [executionId]);
    return rows[0]?.too_old ?? false;
  }

  async last(executionId: string): Promise<LastEvent | undefined> {
    const { rows } = await this.pool.query<{ type: LastEvent['type']; event_id: string; data: LastEvent['data'] }>(
      lastEventSql,
      [executionId],
    );
    const row = rows[0];
    return row === undefined ? undefined : { type: row.type, eventId: row.event_id, data: row.data };
  }

  private async appendFirst(end: ExecutionEnd, eventId: string, payloads: Payloads | undefined): Promise<boolean> {
    const { rows } = await this.pool.query<{ appended: boolean }>({
      name: 'end_first',
      text: firstAndLastEventSql,
      values: [
        end.data.executionId,
        eventId,
        end.type,
        topicNames.executions,
        end.data.accountId,
        toJson(end.data),
        end.data.completedAt,
        usageEventIdOf(end.data.executionId as ExecutionId),
        payloads?.request ?? null,
        payloads?.response ?? null,
      ],
    });
    const appended = rows[0]?.appended ?? false;
    if (appended) this.committed();
    return appended;
  }

  private writeStarts(items: readonly Start[]): Promise<boolean[]> {
    const values = [
      items.map(({ started }) => started.executionId),
      items.map(({ eventId }) => eventId),
      topicNames.executions,
      items.map(({ started }) => started.accountId),
      toJsonList(items.map(({ started }) => started)),
      items.map(({ started }) => started.startedAt),
      items.map(({ ownerId }) => ownerId),
      items.map(({ giveUpMs }) => giveUpMs),
    ];
    if (items.every(({ claim }) => claim === undefined)) {
      return this.appendGroup('start_executions', startExecutionsSql, items, values);
    }
    return this.appendGroup('start_keyed_executions', startKeyedExecutionsSql, items, [
      ...values,
      items.map(({ claim }) => claim?.route ?? null),
      items.map(({ claim }) => claim?.key ?? null),
      items.map(({ claim }) => claim?.fingerprint ?? null),
      items.map(({ claim }) => claim?.lifetimeMs ?? null),
    ]);
  }

  private async writeEnds(items: readonly End[]): Promise<boolean[]> {
    const values = [
      items.map(({ end }) => end.data.executionId),
      items.map(({ eventId }) => eventId),
      items.map(({ end }) => end.type),
      topicNames.executions,
      items.map(({ end }) => end.data.accountId),
      toJsonList(items.map(({ end }) => end.data)),
      items.map(({ end }) => end.data.completedAt),
      items.map(({ end }) => usageEventIdOf(end.data.executionId as ExecutionId)),
      items.map(({ payloads }) => payloads?.request ?? null),
      items.map(({ payloads }) => payloads?.response ?? null),
    ];
    const answers = items.map(({ payloads }) => payloads?.answer);
    const appended = answers.every((answer) => answer === undefined)
      ? await this.appendGroup('end_executions', endExecutionsSql, items, values)
      : await this.appendGroup('end_keyed_executions', endKeyedExecutionsSql, items, [
          ...values,
          answers.map((answer) => answer?.body ?? null),
          answers.map((answer) => answer?.keptAs ?? null),
          answers.map((answer) => answer?.lifetimeMs ?? null),
        ]);
    if (appended.includes(true)) this.committed();
    return appended;
  }

  /** Which of the items were appended. */
  private async appendGroup(
    name: string,
    text: string,
    items: readonly { readonly eventId: string }[],
    values: readonly unknown[],
  ): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ event_id: string }>({ name, text, values: [...values] });
    const appended = new Set(rows.map((row) => row.event_id));
    return items.map(({ eventId }) => appended.has(eventId));
  }
}

const toJsonList = (documents: readonly object[]): string => `[${documents.map(toJson).join(',')}]`;

/** Is the error about the data, or a deadlock, so that the items may be written in smaller groups? */
const isFaultOfAnItem = (error: unknown): boolean => isOfSqlStateClass(error, faultsOfAnItem);

/** `jsonb` holds neither NUL nor half a surrogate pair; both become U+FFFD. */
function toJson(data: object): string {
  const text = JSON.stringify(data);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(data, (_key, member: unknown) =>
    typeof member === 'string' ? Buffer.from(member.replaceAll('\0', '\uFFFD')).toString() : member,
  );
}
