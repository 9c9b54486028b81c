import { CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import {
  topicNames,
  type ExecutionCompleted,
  type ExecutionOutcomeRevised,
  type Outcome,
  type ReasonCode,
} from '@capability-router/contracts';
import { appendToStream, readStream } from '@capability-router/event-store';
import { AppError, toIso, type Clock, type ExecutionId } from '@capability-router/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { ExecutionJournal } from '../call/journal/execution-journal.js';

/** A call that had succeeded can turn out to be one of these, and never a refusal or an interruption. */
export const revisedOutcomes = {
  'result.empty': 'empty_result',
  'provider.error': 'provider_failure',
  'provider.http_error': 'provider_failure',
  'provider.rate_limited': 'provider_failure',
  'provider.auth_or_permission': 'provider_failure',
  'transport.timeout': 'transport_failure',
  'transport.no_response': 'transport_failure',
} as const satisfies Partial<Record<ReasonCode, Outcome>>;

export type RevisedReason = keyof typeof revisedOutcomes;
export const revisedReasons = Object.keys(revisedOutcomes) as readonly RevisedReason[];

export interface ReviseOutcome {
  readonly executionId: ExecutionId;
  readonly reasonCode: RevisedReason;
  readonly reference?: string | undefined;
  readonly revisedBy: string;
}

export interface RevisedOutcome {
  readonly revision: ExecutionOutcomeRevised;
  /** It had been reported before, alike: nothing was written now. */
  readonly repeated: boolean;
}

/** A revision has a stream of its own: the execution's ends with its end, for whoever asks how it ended. */
const streamOf = (executionId: ExecutionId): string => `revision:${executionId}`;

/** Reports that calls had not delivered what they seemed to. */
@Injectable()
export class OutcomeReviser {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void = () => undefined,
  ) {}

  /**
   * Records the report once per execution; whoever repeats it gets the first answer. Throws `not_found` for an execution
   * that is not known, `conflict` for one that did not succeed or runs, and for a second report that says otherwise.
   */
  async revise(command: ReviseOutcome): Promise<RevisedOutcome> {
    const { executionId } = command;
    const last = await this.journal.last(executionId);
    if (last === undefined) throw new AppError('not_found', `There is no execution ${executionId}.`);
    if (last.type === 'ExecutionStarted') {
      throw new AppError('conflict', `${executionId} still runs. Report it when it has ended.`);
    }
    const end = last.data as ExecutionCompleted;
    if (last.type !== 'ExecutionCompleted' || !end.success) {
      throw new AppError('conflict', `${executionId} did not succeed (${end.outcome.reasonCode}): nothing is revised.`);
    }
    const revision = revisionOf(end, command, toIso(this.clock.nowMs()));
    const appended = await appendToStream(this.pool, 'execution', streamOf(executionId), 0, [
      {
        type: 'ExecutionOutcomeRevised',
        topic: topicNames.executions,
        partitionKey: end.accountId,
        data: revision,
        time: revision.revisedAt,
      },
    ]);
    if (appended.status === 'version_conflict') return { revision: await this.sameAsBefore(command), repeated: true };
    this.committed();
    return { revision, repeated: false };
  }

  private async sameAsBefore({ executionId, ...wanted }: ReviseOutcome): Promise<ExecutionOutcomeRevised> {
    const [event] = await readStream(this.pool, streamOf(executionId));
    if (event === undefined) throw new Error(`the revision of ${executionId} is not there`);
    const first = event.data as unknown as ExecutionOutcomeRevised;
    if (first.reasonCode === wanted.reasonCode && first.reference === wanted.reference) return first;
    const { reasonCode, revisedAt } = first;
    throw new AppError('conflict', `${executionId} was revised to ${reasonCode} at ${revisedAt}, once and for all.`);
  }
}

function revisionOf(end: ExecutionCompleted, command: ReviseOutcome, revisedAt: string): ExecutionOutcomeRevised {
  const { reasonCode, reference, revisedBy } = command;
  return {
    executionId: end.executionId,
    accountId: end.accountId,
    eventType: end.eventType,
    ...(end.toolId === undefined ? {} : { toolId: end.toolId }),
    ...(end.providerId === undefined ? {} : { providerId: end.providerId }),
    outcome: revisedOutcomes[reasonCode],
    reasonCode,
    previousOutcome: end.outcome.outcome,
    previousReasonCode: end.outcome.reasonCode,
    revisedBy,
    ...(reference === undefined ? {} : { reference }),
    completedAt: end.completedAt,
    revisedAt,
  };
}
