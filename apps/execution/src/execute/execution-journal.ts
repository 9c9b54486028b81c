import { uuidv7, usageEventIdOf, type Clock, type ExecutionId } from '@capability-router/kernel';
import {
  topicNames,
  type ExecutionCompleted,
  type ExecutionInterrupted,
  type ExecutionRefused,
  type ExecutionStarted,
} from '@capability-router/contracts';
import type pg from 'pg';
import { endExecutionSql, firstAndLastEventSql, lastEventSql, startExecutionSql } from './execution-journal.sql.js';

export type ExecutionEnd =
  | { readonly type: 'ExecutionCompleted'; readonly data: ExecutionCompleted }
  | { readonly type: 'ExecutionRefused'; readonly data: ExecutionRefused }
  | { readonly type: 'ExecutionInterrupted'; readonly data: ExecutionInterrupted };

/** Kept apart from the event, because it can be erased. Both are JSON texts. */
export interface Payloads {
  readonly request: string;
  readonly response?: string;
}

export interface LastEvent {
  readonly type: 'ExecutionStarted' | ExecutionEnd['type'];
  readonly eventId: string;
  readonly data: ExecutionStarted | ExecutionEnd['data'];
}

/** Milliseconds after its deadline at which an execution whose owner still lives is given up. */
export const DEADLINE_GRACE_MS = 5_000;

/**
 * The event streams of executions: `Started` at 1, one end at 2; or an end at 1 and nothing else. The unique key on
 * (stream, sequence) lets exactly one end win, whoever writes it. One SQL statement each, with its read models.
 */
export class ExecutionJournal {
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    private readonly committed: () => void = () => undefined,
  ) {}

  /** False if the execution already has an event: somebody ended it before it began. */
  async start(started: ExecutionStarted, ownerId: string, deadlineMs: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ appended: boolean }>({
      name: 'start_execution',
      text: startExecutionSql,
      values: [
        started.executionId,
        uuidv7(this.clock.nowMs()),
        topicNames.executions,
        started.accountId,
        toJson(started),
        started.startedAt,
        ownerId,
        deadlineMs + DEADLINE_GRACE_MS,
      ],
    });
    return rows[0]?.appended ?? false;
  }

  /** Ends a started execution. False if another end won. Safe to repeat with the same `eventId`. */
  async end(end: ExecutionEnd, eventId: string, payloads?: Payloads): Promise<boolean> {
    const appended = await this.append(endExecutionSql, 'end_execution', end, eventId, payloads);
    if (appended) return true;
    // A repeat after a lost connection meets its own event.
    return (await this.last(end.data.executionId))?.eventId === eventId;
  }

  /** Ends an execution that was never started. False if the stream already has an event. */
  endFirst(end: ExecutionEnd, payloads?: Payloads): Promise<boolean> {
    return this.append(firstAndLastEventSql, 'end_first', end, uuidv7(this.clock.nowMs()), payloads);
  }

  async last(executionId: string): Promise<LastEvent | undefined> {
    const { rows } = await this.pool.query<{ type: LastEvent['type']; event_id: string; data: LastEvent['data'] }>(
      lastEventSql,
      [executionId],
    );
    const row = rows[0];
    return row === undefined ? undefined : { type: row.type, eventId: row.event_id, data: row.data };
  }

  private async append(
    text: string,
    name: string,
    end: ExecutionEnd,
    eventId: string,
    payloads: Payloads | undefined,
  ): Promise<boolean> {
    const { rows } = await this.pool.query<{ appended: boolean }>({
      name,
      text,
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
}

/** `jsonb` holds neither NUL nor half a surrogate pair; both become U+FFFD. */
function toJson(data: object): string {
  const text = JSON.stringify(data);
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(data, (_key, member: unknown) =>
    typeof member === 'string' ? Buffer.from(member.replaceAll('\0', '\uFFFD')).toString() : member,
  );
}
