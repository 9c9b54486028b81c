import { CLOCK, CONFIG, LOGGER } from '@capability-router/service-kit';
import type { SkipReason } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import type { RefusedCall } from '@capability-router/provider-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../../config.js';
import type { AcceptedCall } from '../admission/accepted-call.js';
import type { Attempt } from '../admission/plan.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { OwnerLease } from '../journal/owner-lease.js';
import { isUncertain } from './classify-outcome.js';
import { inFields } from './in-fields.js';
import { AnswerSource, type Obtained } from './obtain-answer.js';
import { tryInTurn, type Came, type Tried } from './try-in-turn.js';

/** What came of one attempt. */
export type AttemptResult =
  | { readonly obtained: Obtained }
  /** Nothing was sent. */
  | { readonly refused: RefusedCall }
  /** A fault of ours. */
  | { readonly thrown: unknown };

/** An attempt that began. */
export type RanAttempt = { readonly attempt: Attempt; readonly elapsedMs: number } & AttemptResult;

/** What came of a plan. */
export interface Ran {
  /** The attempt that the plan ends with; undefined where none had the time to begin. */
  readonly last: RanAttempt | undefined;
  /** Those that began, in their order. */
  readonly ran: readonly RanAttempt[];
  /** Why others did not, by their position. */
  readonly skipped: ReadonlyMap<number, SkipReason>;
}

/** Nothing of a plan began, for one reason. */
export const noneBegan = ({ attempts }: { readonly attempts: readonly Attempt[] }, reason: SkipReason): Ran => ({
  last: undefined,
  ran: [],
  skipped: new Map(attempts.map(({ position }) => [position, reason])),
});

/** Runs the attempts of a plan in order, until one serves or none may begin any more. */
@Injectable()
export class RunAttempts {
  constructor(
    @Inject(AnswerSource) private readonly answers: AnswerSource,
    @Inject(OwnerLease) private readonly lease: OwnerLease,
    @Inject(ExecutionJournal) private readonly journal: ExecutionJournal,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'faults'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects: a fault of ours belongs to the attempt that it met. */
  async run(call: AcceptedCall): Promise<Ran> {
    const { startedMs, plan } = call;
    const leftMs = (): number => startedMs + plan.deadlineMs - this.clock.nowMs();
    const { ended, tried, skipped } = await tryInTurn<RanAttempt>(
      plan,
      leftMs,
      () => this.isStillOurs(call),
      (attempt, deadlineMs) => this.attempt(call, attempt, deadlineMs),
    );
    return { last: ended?.value, ran: tried.map(({ value }) => value), skipped };
  }

  /**
   * An execution that was ended elsewhere is answered with that end, so what began after it would be done for nobody. Where nothing
   * may be done twice the record is asked as well, because its caller may have sent the query again by now.
   */
  private async isStillOurs({ executionId, plan }: AcceptedCall): Promise<boolean> {
    if (!this.lease.isHeld()) return false;
    if (plan.repeatable) return true;
    try {
      return await this.journal.isRunning(executionId, this.lease.ownerId);
    } catch (err) {
      this.logger.error({ err, executionId }, 'no further attempt begins, because the record could not be read');
      return false;
    }
  }

  private async attempt(call: AcceptedCall, attempt: Attempt, deadlineMs: number): Promise<Tried<RanAttempt>> {
    const begunMs = this.clock.nowMs();
    const result = await this.resultOf(call, attempt, deadlineMs).catch((thrown: unknown) => ({ thrown }));
    const value: RanAttempt = { attempt, elapsedMs: Math.max(0, this.clock.nowMs() - begunMs), ...result };
    return { attempt, came: cameOf(result), value };
  }

  private async resultOf(
    { assertion, request }: AcceptedCall,
    { tool, parameters, result }: Attempt,
    deadlineMs: number,
  ): Promise<AttemptResult> {
    const { accountId } = assertion;
    const { cacheMode } = request;
    const obtained = await this.answers.obtain({ tool, parameters, accountId, cacheMode, deadlineMs });
    this.config.faults.reached('after-provider-call');
    if (!('classified' in obtained)) return { refused: obtained };
    return { obtained: result === undefined ? obtained : inFields(obtained, result) };
  }
}

function cameOf(result: AttemptResult): Came {
  if ('thrown' in result) return 'broken';
  if ('refused' in result) return 'not_sent';
  const { classified, fromCache, sent } = result.obtained;
  if (classified.success) return 'served';
  if (sent === false) return 'not_sent';
  return !fromCache && isUncertain(classified) ? 'uncertain' : 'failed';
}
